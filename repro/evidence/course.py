"""What a class needs to know before a notebook, and what to ask it; for the table of the README."""

# By notebook, in an order in which to take them: what it needs, then the questions.
LESSONS = {
    "mre_fig1_toy_cars": (
        "softmax, KL divergence, gradients",
        "Which question does each metric answer, and who told the method the classes?",
        "Some ranges over the starts are wide: what would one run have shown?",
        "Is *cleanly* a number? Choose another measure before you look.",
    ),
    "mre_fig2_alignment": (
        "the notebook before; kernel regression",
        "Why is a 2 × 2 relation with a learned metric free of charge?",
        "Half of the cats call up one and the same face: why does rank correlation hardly mind?",
    ),
    "mre_fig3_isomap_faces": (
        "the first notebook; rank correlation",
        "Ink correlates with a pose in the data: with which, and can a method undo it?",
        "How well do SNE's best directions do, and what does that leave for MRE?",
    ),
    "bre_sec2_family": (
        "probability, eigenvalues",
        "What is drawn in each of the three methods?",
        "Find the two statements that chains of three points refute. Would you have noticed?",
    ),
    "bre_fig5_manifolds": (
        "principal components, neighbour graphs",
        "Points that are no neighbours do not see each other: what keeps the sheet open?",
        "Is the map of lower loss the better one? Look at the twin peaks.",
    ),
    "bre_fig6_usps": (
        "the notebook before; nearest-neighbour error",
        "The paper gives β, not the scale of the pixels. How was that found, and is it fair?",
        "Which part of the claim does PCA meet as well?",
    ),
    "bre_fig7_brendan": (
        "principal components, R² of a plane",
        "The claim on brightness fails. What may the authors have seen in their figure?",
        "How much of this map was in its start?",
    ),
    "bre_ext_multiple_relations": (
        "MRE Figure 3, BRE Figure 5",
        "The paper promises this in one sentence. What would you have to fix before it is a claim?",
        "What is better here than with MRE, what worse, and which part of the method is it?",
    ),
    "tete_fig2_deformed_exp_log": (
        "logarithm, Student's t",
        "What can one wrong triplet cost at t = 1, and what at t = 2?",
        "When does a misprint matter? Compare the three errata.",
    ),
    "tete_sec1_circle": (
        "nearest neighbours, rank correlation",
        "Why can one wrong triplet not pull far in t-ETE, and what does that do to a circle?",
        "Dense points or sparse ones: which distances does a triplet know nothing of?",
    ),
    "tete_fig1_mnist_noise": (
        "the notebook before",
        "How much of the difference is there without noise?",
        "Real annotators do not err at random. Which noise would be harder?",
    ),
    "tete_fig3_generalization_noise": (
        "cross-validation",
        "*It alone is hardly affected*: which rival is, in how many dimensions?",
        "Whose parameters were tuned, on which data? Is that equal for all?",
    ),
    "tete_fig4_food": (
        "t-ETE Figure 1; k-means, silhouette",
        "Two clusters score better than three. Who chose three?",
        "No minimum of the loss was found: what then is *the* map?",
    ),
    "tete_fig5_music": (
        "t-ETE Figure 1",
        "What error does one get by always answering rock, and what follows for the paper's?",
        "Which pair of all these maps would you print, and by which rule?",
    ),
    "tete_fig6_dimensionality_reduction": (
        "t-SNE; t-ETE Figure 2",
        "What is left of the weights when they are divided by their largest?",
        "Who tears the roll, and under whose settings?",
    ),
    "kie_fig1_s_curve": (
        "entropy, kernel density estimates",
        "Where does the alignment come from: the information or the penalty?",
        "The information has a bound and yet no maximum: what runs away?",
    ),
    "kie_fig2_conditional_cars": (
        "the notebook before; conditional entropy",
        "Class has been factored out: how would you see it if it had not been?",
        "By how little does kernel PCA lose, and would you have written *intermixed*?",
    ),
    "kie_fig3_neighbours": (
        "the notebook before",
        "What would chance give, what one answer for all, and how far off is *fails entirely*?",
        "A median is negative, its range crosses zero: what would you write?",
    ),
    "kie_fig4_joint": (
        "mutual information",
        "A magnified copy of X minimises the loss. Does a shuffled one, and what forbids both?",
        "Adjacent views are neighbours in the pixels, too. What then has been shown?",
    ),
    "kie_fig5_6_regression": (
        "KIE Figure 4; kernel regression",
        "The paper shows one draw of four pairs. In how many of ours would it have been right?",
        "Can a weighted mean of four pictures be better than the best of the four?",
    ),
    "kie_sec22_generalization": (
        "KIE Figure 1; out-of-sample extension",
        "Why does the penalty of training pull an unseen point of the sheet too hard?",
        "Is the nearest training image a weak rival? When is it unbeatable?",
    ),
}
