"""What is known of each real data set: its origin, terms, addresses and hashes.

A new set takes an `Entry` here, its files (if there are hashes to keep) as rows of files.csv,
a module with its fetcher and its `layouts`, and a line each in `repro.datasets.catalogue`.
"""

import csv
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import NamedTuple


@dataclass(frozen=True)
class Entry:
    """A real data set.

    Attributes
    ----------
    name : str
        Short name; also the name of its folder, unless ``folder`` says other.
    title : str
        Name for people.
    source : str
        The official address.
    licence, citation : str
        The terms as stated at the source, and what to cite.
    arrays : dict of str to str
        The sha256 of each decoded array of the whole set (its bytes in C order).
    archives : tuple of str
        Addresses of the set as one archive.
    mirrors : tuple of str
        Addresses to which the name of a single file is appended.
    folder : str
        Its folder, where that is not the short name.
    """

    name: str
    title: str
    source: str
    licence: str
    citation: str
    arrays: dict[str, str] = field(default_factory=dict)
    archives: tuple[str, ...] = ()
    mirrors: tuple[str, ...] = ()
    folder: str = ""


class Row(NamedTuple):
    """What files.csv knows of a file: bytes, sha256, and sha256 of its decoded array."""

    size: int | None
    sha256: str | None
    array_sha256: str | None


@cache
def rows(dataset):
    """Return the rows of files.csv for a data set, as a dict from file name to `Row`."""
    with (files(__package__) / "files.csv").open(encoding="utf-8", newline="") as table:
        return {
            row["file"]: Row(
                int(row["bytes"]) if row["bytes"] else None,
                row["sha256"] or None,
                row["array_sha256"] or None,
            )
            for row in csv.DictReader(table)
            if row["dataset"] == dataset
        }


_COIL20 = "http://www.cs.columbia.edu/CAVE/databases/SLAM_coil-20_coil-100/coil-20/coil-20-proc.zip"

ENTRIES = {
    "coil20": Entry(
        name="coil20",
        title="COIL-20",
        source=_COIL20,
        licence="research use, cite CUCS-005-96",
        citation="S. A. Nene, S. K. Nayar and H. Murase, Columbia Object Image Library (COIL-20), "
        "Technical Report CUCS-005-96, Columbia University, 1996.",
        arrays={"images": "7274cbacb79ea6c57340827c9f9301745a8e9b3173dea4aa828e00b49c42946c"},
        archives=(_COIL20,),
        # Pinned to a commit, so that the bytes cannot change.
        mirrors=(
            "https://raw.githubusercontent.com/FJR-Nancy/joint-cluster-cnn/"
            "200274b032ef95aced858ff37ad64d19bc97b665/dataset/coil-20-proc/",
        ),
    ),
    "umist": Entry(
        name="umist",
        title="UMIST faces",
        source="http://eeepro.shef.ac.uk/vie/cropped.tar.gz",
        licence="research use, cite Graham and Allinson 1998",
        citation="D. B. Graham and N. M. Allinson, Characterizing Virtual Eigensignatures for "
        "General Purpose Face Recognition, in Face Recognition: From Theory to Applications, "
        "NATO ASI Series F 163, pp. 446-456, 1998.",
        arrays={"images": "d126d80a51be00cd7fe7d6e015419b4da03015768c37dbdd7fb56e48a9abff3d"},
        mirrors=(
            "https://raw.githubusercontent.com/FJR-Nancy/joint-cluster-cnn/"
            "200274b032ef95aced858ff37ad64d19bc97b665/dataset/UMist/",
        ),
    ),
    "isomap_faces": Entry(
        name="isomap_faces",
        title="Isomap faces",
        source="http://isomap.stanford.edu/face_data.mat.Z (64 × 64 pixels; no longer there)",
        licence="none stated",
        citation="J. B. Tenenbaum, V. de Silva and J. C. Langford, A Global Geometric Framework "
        "for Nonlinear Dimensionality Reduction, Science 290, pp. 2319-2323, 2000.",
        arrays={
            "images": "88a71217169bcd84014e442ea4b7e3ac4c61fc2cb7a55816affa06cdd3022660",
            "factors": "4885d8e5f9a5207ddb7787e90ac8223aed113c61bc544488d8920c77c215aece",
        },
        mirrors=(
            "https://raw.githubusercontent.com/chunchentu/smogllim/"
            "14d95b576a5737ebfccc99dda396ad6d62952dd4/gen_sim_data/",
        ),
    ),
    "mnist": Entry(
        name="mnist",
        title="MNIST",
        source="http://yann.lecun.com/exdb/mnist/",
        licence="CC BY-SA 3.0",
        citation="Y. LeCun, L. Bottou, Y. Bengio and P. Haffner, Gradient-Based Learning Applied "
        "to Document Recognition, Proceedings of the IEEE 86, pp. 2278-2324, 1998.",
        mirrors=(
            "https://ossci-datasets.s3.amazonaws.com/mnist/",
            "https://storage.googleapis.com/cvdf-datasets/mnist/",
            "https://raw.githubusercontent.com/fgnt/mnist/"
            "ae608a02b796c9ee908c082585a5f006fe05258e/",
        ),
    ),
    "food": Entry(
        name="food",
        title="Food-100",
        source="http://vision.cornell.edu/se3/wp-content/uploads/2014/09/food100-dataset.zip "
        "(reported gone in August 2026)",
        licence="educational fair use",
        citation="M. J. Wilber, I. S. Kwak and S. J. Belongie, Cost-Effective HITs for Relative "
        "Similarity Comparisons, Human Computation and Crowdsourcing (HCOMP), 2014.",
        arrays={"triplets": "771dc2c76783a0b1099b41a179b535cc2953120ebaf80849608f55c366b4c6db"},
        mirrors=(
            "https://raw.githubusercontent.com/mperrot/AddS-Clustering/"
            "40c7658248c749dce9639c3eef3d9e9215d875b4/resources/food/",
        ),
        folder="food100",
    ),
    "music": Entry(
        name="music",
        title="Music artists",
        source="STE_Release of L. van der Maaten and K. Weinberger",
        licence="none stated",
        citation="D. P. W. Ellis, B. Whitman, A. Berenzweig and S. Lawrence, The Quest for Ground "
        "Truth in Musical Artist Similarity, ISMIR 2002, pp. 170-177; prepared by L. van der "
        "Maaten and K. Weinberger, Stochastic Triplet Embedding, MLSP 2012.",
        arrays={
            "triplets": "931205bd35b444e077d800e881b4403ba6ee2ede78c2777e94c80eecee4c6e26",
            "tags": "d7683f9373ab8ab72450766edcb130eebe284cf7b86da916ade33457b2b7fce0",
            # Of their text in NumPy's four bytes a character.
            "tag_names": "2a611ff8ba6648dfdff060e384f0df9adf8475e08f1f0a1bada75f4f87524506",
        },
        mirrors=(
            "https://raw.githubusercontent.com/amandasongmm/simi_triplet/"
            "a22b7160bbfec7ed17f8099eb0197d48a67c5449/STE_Release/data/",
            "https://raw.githubusercontent.com/cblearn/cblearn/"
            "d0beebfd08f4f76f88506386f6000fef051ec298/cblearn/datasets/data/",
        ),
    ),
    "scenes": Entry(
        name="scenes",
        title="MIT Scenes",
        source="http://people.csail.mit.edu/torralba/code/spatialenvelope/ "
        "(256 × 256 in colour; here a grey copy of 200 × 200, 100 images a class)",
        licence="none stated",
        citation="A. Oliva and A. Torralba, Modeling the Shape of the Scene: A Holistic "
        "Representation of the Spatial Envelope, IJCV 42, pp. 145-175, 2001.",
        mirrors=(
            "https://raw.githubusercontent.com/jaaumeadrover/Landscape-Image-Classification/"
            "7985b6b6e532f94f96da7dee74eb9a0ae7972083/data/train/",
        ),
    ),
    "usps": Entry(
        name="usps",
        title="USPS digits",
        source="http://www.cs.nyu.edu/~roweis/data/usps_all.mat (11000); "
        "https://hastie.su.domains/ElemStatLearn/ (9298)",
        licence="none stated",
        citation="J. J. Hull, A Database for Handwritten Text Recognition Research, IEEE PAMI 16, "
        "pp. 550-554, 1994.",
        arrays={"images": "49ccafb7a23943ef12a469b14cc02cb6934bd2ad6c819ec4848dd7a80eb7168d"},
        mirrors=(
            "http://www.cs.nyu.edu/~roweis/data/",
            "https://raw.githubusercontent.com/niuers/Learning-From-Data-A-Short-Course/"
            "879a698b960e5867f7c2b11f8938fa89c3d21839/data/",
        ),
    ),
    "brendan": Entry(
        name="brendan",
        title="Brendan's face",
        source="http://www.cs.nyu.edu/~roweis/data/frey_rawface.mat",
        licence="none stated",
        citation="S. Roweis, L. K. Saul and G. Hinton, Global Coordination of Local Linear "
        "Models, NIPS 14, pp. 889-896, 2002.",
        arrays={"images": "2438ba4f0d2a6bd8bac43de756141eaa33c8d248dd613d464bdb1210d9b7af78"},
        mirrors=(
            "http://www.cs.nyu.edu/~roweis/data/",
            "https://raw.githubusercontent.com/gpeyre/matlab-toolboxes/"
            "0cd622c988cda6f63f64d35cd7bd096fa578e5c6/toolbox_dimreduc/data/",
        ),
    ),
    "letters": Entry(
        name="letters",
        title="Letter Recognition",
        source="https://archive.ics.uci.edu/ml/machine-learning-databases/letter-recognition/",
        licence="CC BY 4.0",
        citation="P. W. Frey and D. J. Slate, Letter Recognition Using Holland-Style Adaptive "
        "Classifiers, Machine Learning 6, pp. 161-182, 1991.",
        arrays={
            "features": "e831cd67b53baf94e40b9a14f9947f5fd6ba11bafd6279bcabd161d3ce8fe992",
            # Of their text in NumPy's four bytes a character.
            "labels": "dba5abf3ffd80a8597644081c878bd5f74f33873475a4907753b49174f1b2e0b",
        },
        mirrors=(
            "https://archive.ics.uci.edu/ml/machine-learning-databases/letter-recognition/",
            "https://raw.githubusercontent.com/davidgasquez/letter-recognition/"
            "f93744cb7bb8d99b48c07e3ac2a1d4bd29df1429/",
        ),
    ),
}
