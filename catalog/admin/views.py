"""Pictures and pages the admin's previews are made of."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.clickjacking import xframe_options_sameorigin

from catalog.drawing.floor_plan import floor_plan_svg
from catalog.drawing.package import product_picture
from catalog.models import Preview, Product, SceneVersion, Target, Task
from catalog.rows import to_record
from catalog.selectors import scene_pack
from siturec.scene import schema

KEEP = "private, max-age=3600"


def preview_of(version: SceneVersion, kind: str, code: str) -> Preview | None:
    """The rendered picture of a thing, or None while there is none."""
    return Preview.objects.filter(version=version, kind=kind, code=code).first()


def product_picture_view(request: HttpRequest, pk: int) -> HttpResponse:
    """A product as rendered in the store, or drawn from its look."""
    row = get_object_or_404(Product.objects.select_related("version"), pk=pk)
    preview = preview_of(row.version, "product", row.code)
    if preview is not None:
        return _picture(bytes(preview.image), "image/jpeg")
    record = to_record(row)
    if not isinstance(record, schema.Product):
        raise Http404
    return _picture(product_picture(record), "image/png")


def target_view_view(request: HttpRequest, pk: int) -> HttpResponse:
    """The view from a target's standing point, as rendered in the store."""
    row = get_object_or_404(Target.objects.select_related("version"), pk=pk)
    preview = preview_of(row.version, "target", row.code)
    if preview is None:
        raise Http404
    return _picture(bytes(preview.image), "image/jpeg")


def plan_view(request: HttpRequest, pk: int) -> HttpResponse:
    """A version's floor plan; ``?lit=`` picks out targets by id."""
    version = get_object_or_404(SceneVersion.objects.select_related("scene"), pk=pk)
    pack = scene_pack(version.scene.slug, version.label)
    svg = floor_plan_svg(pack, frozenset(request.GET.getlist("lit")))
    return HttpResponse(svg, content_type="image/svg+xml")


@xframe_options_sameorigin
def goal_card_view(request: HttpRequest, pk: int) -> HttpResponse:
    """A task's goal card, in the participants' style, to be shown in a frame."""
    row = get_object_or_404(Task.objects.select_related("version"), pk=pk)
    goal = {
        "text": row.goal,
        "budget": row.budget,
        "needs": [need["text"] for need in row.needs],
        "preferences": row.preferences,
    }
    return render(request, "admin/catalog/goal_card.html", {"goal": goal})


def _picture(content: bytes, kind: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Cache-Control"] = KEEP
    return response
