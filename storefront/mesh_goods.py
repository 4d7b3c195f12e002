"""Products as meshes: from a look to a fine and a coarse form."""

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from siturec.scene.schema import Product
from storefront.geometry_parts import hex_colour
from storefront.mesh import Mesh, MeshBuilder
from storefront.mesh_solids import box
from storefront.texture import Image, TextureStore


def goods_meshes(product: Product, textures: TextureStore) -> tuple[Mesh, Mesh]:
    """The product's mesh, centre of the base at the origin, front facing -y, and a simpler one for afar."""
    wide, deep, high = product.look.size_m
    label = textures.number(f"label {product.id}", lambda: _label(product))
    side = textures.flat(hex_colour(product.look.primary))
    builder = MeshBuilder()
    faces = {"front": label, "back": label, "left": side, "right": side, "top": side, "bottom": side}
    box(builder, (-wide / 2, -deep / 2, 0), (wide, deep, high), faces)
    mesh = builder.build()
    return mesh, mesh


def _label(product: Product) -> Image:
    image = Pillow.new("RGB", (256, 256), hex_colour(product.look.primary))
    draw = ImageDraw.Draw(image)
    draw.rectangle([0, 80, 256, 176], fill=hex_colour(product.look.accent))
    font = ImageFont.load_default(28)
    draw.text((128, 128), product.look.label or product.name, font=font, fill=(255, 255, 255), anchor="mm")
    return np.asarray(image)
