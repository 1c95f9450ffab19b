"""Kernel Information Embedding: plain, conditional and joint.

Memisevic, ICML 2006. In the paper's order: `entropies` holds Eqs. (1)–(6), `losses` Eqs. (7), (8),
(11) and (12), `models` the estimators and the annealing of Sec. 2.1, `constraint` the hard
constraint of Sec. 2.1, `out_of_sample` the maps to and from unseen points, Eqs. (9) and (10),
`reconstruction` the unsupervised kernel regression of Sec. 2.3.
"""

from repro.kie.entropies import (
    KernelMatrix as KernelMatrix,
    entropy as entropy,
    mutual_information as mutual_information,
)
from repro.kie.losses import (
    conditional_kie_loss as conditional_kie_loss,
    joint_kie_loss as joint_kie_loss,
    kie_loss as kie_loss,
)
from repro.kie.models import (
    KIE as KIE,
    ConditionalKIE as ConditionalKIE,
    JointKIE as JointKIE,
    annealing_schedule as annealing_schedule,
)
from repro.kie.out_of_sample import (
    backward_map as backward_map,
    forward_map as forward_map,
    inserted_map as inserted_map,
)
from repro.kie.reconstruction import reconstruction_loss as reconstruction_loss
