"""Products and places in the admin, with their pictures."""

from django.contrib import admin
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from catalog.admin import views
from catalog.admin.base import RowAdmin
from catalog.models import Instance, Product, Target, Waypoint


@admin.register(Product)
class ProductAdmin(RowAdmin):
    """Products with their pictures."""

    list_display = ("thumbnail", "name", "code", "category", "cost", "kept", "where", "mask", "scene")
    list_display_links = ("thumbnail", "name")
    list_filter = ("storage", "category")
    search_fields = ("name", "code", "category", "tags", "details")
    readonly_fields = ("picture", "where")
    fieldsets = (
        (None, {"fields": ("picture", "name", "category", "price", "tags")}),
        ("What inspection reveals", {"fields": ("details",)}),
        ("How it looks and where it is kept", {"fields": ("look", "colour", "storage", "where")}),
        ("In the pack", {"fields": ("version", "code", "position"), "classes": ("collapse",)}),
    )

    def picture_urls(self) -> list[URLPattern]:
        """The product's picture."""
        view = self.admin_site.admin_view(views.product_picture_view)
        return [path("<int:pk>/picture", view, name="catalog_product_picture")]

    @admin.display(description="")
    def thumbnail(self, row: Product) -> SafeString:
        """The picture, small."""
        return self._picture(row, 56)

    @admin.display(description="picture")
    def picture(self, row: Product) -> SafeString:
        """The picture as rendered in the store, or drawn from its look until it is."""
        return self._picture(row, 240)

    def _picture(self, row: Product, side: int) -> SafeString:
        address = reverse("admin:catalog_product_picture", args=[row.pk])
        square = f"width:{side}px;min-width:{side}px;height:{side}px"
        style = f"{square};object-fit:contain;border-radius:8px;background:#f6f4ee"
        return format_html(
            '<img src="{}?r={}" alt="" loading="lazy" style="{}">', address, row.version.revision, style
        )

    @admin.display(description="price", ordering="price")
    def cost(self, row: Product) -> str:
        """In dollars."""
        return f"${row.price:,.2f}"

    @admin.display(description="kept in", ordering="storage")
    def kept(self, row: Product) -> str:
        """The kind of storage."""
        return row.storage.replace("_", " ")

    @admin.display(description="stands in")
    def where(self, row: Product) -> str:
        """The fixtures or areas that hold it."""
        held = Instance.objects.filter(version=row.version, product=row.code)
        return ", ".join(held.order_by("target").values_list("target", flat=True).distinct())

    @admin.display(description="mask")
    def mask(self, row: Product) -> SafeString:
        """The segmentation colour."""
        red, green, blue = row.colour
        box = "display:inline-block;width:20px;height:20px;border-radius:4px"
        style = f"{box};background:rgb({red},{green},{blue})"
        return format_html('<span style="{}" title="{}"></span>', style, f"{red}, {green}, {blue}")


@admin.register(Target)
class TargetAdmin(RowAdmin):
    """Fixtures, stores and areas, on the plan and in view."""

    list_display = ("name", "code", "kind", "type", "goods", "store", "scene")
    list_display_links = ("name",)
    list_filter = ("kind", "type", "store")
    search_fields = ("name", "code", "store")
    readonly_fields = ("plan", "view")
    fieldsets = (
        (None, {"fields": ("plan", "view", "name", "kind", "type", "store")}),
        (
            "Place",
            {"fields": ("footprint", ("x_m", "y_m"), ("height_m", "yaw_deg"), "entrances", "standing")},
        ),
        ("What it holds", {"fields": ("products", "colour")}),
        ("In the pack", {"fields": ("version", "code", "position"), "classes": ("collapse",)}),
    )

    def picture_urls(self) -> list[URLPattern]:
        """The view from the target's standing point."""
        view = self.admin_site.admin_view(views.target_view_view)
        return [path("<int:pk>/view", view, name="catalog_target_view")]

    @admin.display(description="on the floor plan")
    def plan(self, row: Target) -> SafeString:
        """The floor plan with this target picked out."""
        address = reverse("admin:catalog_sceneversion_plan", args=[row.version_id])
        return format_html('<img src="{}?lit={}" alt="Floor plan" style="max-width:100%">', address, row.code)

    @admin.display(description="as a shopper sees it")
    def view(self, row: Target) -> SafeString:
        """The rendered view, if there is one yet."""
        if not views.preview_of(row.version, "target", row.code):
            return format_html(
                "Not rendered yet: <code>manage.py render_previews {}</code>", row.version.scene.slug
            )
        address = reverse("admin:catalog_target_view", args=[row.pk])
        return format_html('<img src="{}" alt="View of {}" style="max-width:100%">', address, row.name)

    @admin.display(description="products")
    def goods(self, row: Target) -> int:
        """How many products it holds."""
        return len(row.products)


@admin.register(Waypoint)
class WaypointAdmin(RowAdmin):
    """Standing poses."""

    list_display = ("code", "x_m", "y_m", "yaw_deg", "pitch_deg", "scene")
    search_fields = ("code",)


@admin.register(Instance)
class InstanceAdmin(RowAdmin):
    """Placed objects."""

    list_display = ("code", "product", "target", "x_m", "y_m", "z_m", "yaw_deg", "scene")
    search_fields = ("code", "product", "target")
