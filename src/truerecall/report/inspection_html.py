"""The summary of an inspection as one HTML file that needs nothing else."""

from __future__ import annotations

from truerecall.report import wording
from truerecall.report.histogram import distribution_picture
from truerecall.report.html import environment
from truerecall.report.inspection_parts import InspectionSummary


def inspection_html(summary: InspectionSummary) -> str:
    """The page. Every text of the user's is escaped; only our own pictures go in as markup."""
    pictures = [
        None
        if quality.picture is None
        else distribution_picture(quality.picture, name=f"picture-{place}", title=f"{quality.title}: {quality.value}")
        for place, quality in enumerate(summary.qualities)
    ]
    page = environment().get_template("inspection.html.j2").render(s=summary, pictures=pictures)
    return page.translate(wording.CONTROLS)
