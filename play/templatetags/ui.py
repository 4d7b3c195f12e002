"""Small things every page draws."""

from django import template
from django.templatetags.static import static
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

register = template.Library()


@register.simple_tag
def icon(name: str, extra: str = "") -> SafeString:
    """One drawing of the icon sheet; it says nothing by itself, the words beside it do."""
    return format_html(
        '<svg class="icon {}" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        extra,
        static("img/icons.svg"),
        name,
    )


@register.filter
def money(dollars: float) -> str:
    """An amount as the reader's language writes it: $5.00, or 5,00 $."""
    return gettext("$%(amount)s") % {"amount": number_format(dollars, 2, force_grouping=True)}
