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
        Short name; also the name of its folder.
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
    """

    name: str
    title: str
    source: str
    licence: str
    citation: str
    arrays: dict[str, str] = field(default_factory=dict)
    archives: tuple[str, ...] = ()
    mirrors: tuple[str, ...] = ()


class Row(NamedTuple):
    """What files.csv knows of a file: bytes, sha256, and sha256 of its decoded array."""

    size: int
    sha256: str
    array_sha256: str


@cache
def rows(dataset):
    """Return the rows of files.csv for a data set, as a dict from file name to `Row`."""
    with (files(__package__) / "files.csv").open(encoding="utf-8", newline="") as table:
        return {
            row["file"]: Row(int(row["bytes"]), row["sha256"], row["array_sha256"])
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
}
