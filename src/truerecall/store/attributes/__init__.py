"""What belongs to rows and queries beside their vectors: ids, texts and relevance labels, from common files."""

from truerecall.store.attributes.columns import read_attribute
from truerecall.store.attributes.groups import read_groups
from truerecall.store.attributes.ids import read_ids
from truerecall.store.attributes.labels import read_labels
from truerecall.store.attributes.rows import read_allowed, read_row_mask
from truerecall.store.attributes.table import FileAttributes
from truerecall.store.attributes.texts import read_texts

__all__ = [
    "FileAttributes",
    "read_allowed",
    "read_attribute",
    "read_groups",
    "read_ids",
    "read_labels",
    "read_row_mask",
    "read_texts",
]
