"""What the bytes of a file look like, for the message where they are not what its name says.

Formats without a magic number are told by arithmetic: the header and the size of the file must agree exactly.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from truerecall.errors import FormatError

MAGIC: dict[bytes, tuple[str, tuple[str, ...]]] = {
    b"\x93NUMPY": ("a .npy file", (".npy",)),
    b"PAR1": ("a Parquet file", (".parquet",)),
    b"\x89HDF\r\n\x1a\n": ("an HDF5 file", (".hdf5", ".h5")),
    b"ARROW1": ("an Arrow file", (".arrow", ".feather")),
    b"FEA1": ("a Feather file of version 1", ()),
    b"PK\x03\x04": ("a zip archive, such as .npz", ()),
    b"\x1f\x8b": ("a gzip archive", ()),
    b"\x28\xb5\x2f\xfd": ("a zstd archive", ()),
    b"BZh": ("a bzip2 archive", ()),
    **dict.fromkeys(
        (b"<!DO", b"<!do", b"<htm", b"<?xm"), ("text of the web, such as the page of a failed download", ())
    ),
}
"""First bytes -> what they begin, and the endings of such files that are read here."""
LARGEST_DIMENSION = 1 << 24
RECORDS = ((4, (".fvecs", ".ivecs")), (1, (".bvecs",)))
MATRICES = ((4, (".fbin", ".ibin")), (2, (".hbin",)), (1, (".u8bin", ".i8bin")), (8, (".knn",)))


@dataclass(frozen=True)
class Look:
    """What bytes look like, in words, and the endings that such files have."""

    words: str
    endings: tuple[str, ...]


def not_of_format(path: Path, ending: str, seen: str) -> FormatError:
    """The error for a file that is not what its ending says: what was seen, and what its bytes look like."""
    look = looks_like(path)
    if look is None or ending in look.endings:
        return FormatError(f"{path} is no usable {ending} file: {seen}", "write the file again, or fetch it again")
    remedy = f"name it {look.endings[0]}" if look.endings else "give the file in one of the formats that are read"
    return FormatError(f"{path} is not a {ending} file ({seen}): {look.words}", remedy)


def looks_like(path: Path) -> Look | None:
    """What the bytes look like, with the reason; None where they look like nothing known. Reads a few bytes."""
    size = path.stat().st_size
    if size == 0:
        return None
    with path.open("rb") as file:
        head = file.read(8)
    for magic, (kind, endings) in MAGIC.items():
        if head.startswith(magic):
            return Look(f"it begins with {magic!r}: this looks like {kind}", endings)
    return _records(path, size, head) or _matrix(size, head)


def _records(path: Path, size: int, head: bytes) -> Look | None:
    """Rows that each follow their own dimension; the first, second and last must name the same one."""
    if len(head) < 4:
        return None
    (dimension,) = struct.unpack("<i", head[:4])
    if not 0 < dimension <= LARGEST_DIMENSION:
        return None
    for width, endings in RECORDS:
        row_bytes = dimension * width
        stride = 4 + row_bytes
        count = size // stride
        if size % stride == 0 and _announce(path, dimension, (0, min(1, count - 1) * stride, (count - 1) * stride)):
            records = "1 record" if count == 1 else f"{count} records"
            kind = endings[0].removeprefix(".")
            return Look(f"{size} bytes = {records} of 4+{row_bytes}: this looks like {kind}, d={dimension}", endings)
    return None


def _announce(path: Path, dimension: int, places: tuple[int, ...]) -> bool:
    with path.open("rb") as file:
        for place in places:
            file.seek(place)
            if file.read(4) != struct.pack("<i", dimension):
                return False
    return True


def _matrix(size: int, head: bytes) -> Look | None:
    """A header of rows and dimensions, and then the values."""
    if len(head) < 8:
        return None
    rows, dimensions = struct.unpack("<II", head)
    for width, endings in MATRICES:
        if rows and dimensions and 8 + rows * dimensions * width == size:
            product = f"{rows}*{dimensions}" if width == 1 else f"{rows}*{dimensions}*{width}"
            return Look(f"8 + {product} = {size}: looks like {' or '.join(e[1:] for e in endings)}", endings)
    return None
