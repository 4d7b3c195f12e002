"""Products as meshes: from a look to a fine form, and a simpler one for afar."""

from collections.abc import Callable

from siturec.scene.schema import Product, ShapeKind
from storefront import mesh_packages as packages
from storefront.mesh import Mesh, MeshBuilder
from storefront.mesh_produce import make_produce
from storefront.texture import TextureStore

Maker = Callable[[MeshBuilder, Product, TextureStore, bool], None]

MAKERS: dict[ShapeKind, Maker] = {
    "box": packages.make_box,
    "carton": packages.make_carton,
    "bottle": packages.make_bottle,
    "can": packages.make_can,
    "jar": packages.make_jar,
    "bag": packages.make_bag,
    "tray": packages.make_tray,
    "tub": packages.make_tub,
    "produce": make_produce,
}


def goods_meshes(product: Product, textures: TextureStore) -> tuple[Mesh, Mesh]:
    """The product's mesh, centre of the base at the origin, front facing -y, and a simpler one for afar."""
    maker = MAKERS.get(product.look.shape, packages.make_box)
    meshes = []
    for fine in (True, False):
        builder = MeshBuilder()
        maker(builder, product, textures, fine)
        meshes.append(builder.build())
    return meshes[0], meshes[1]
