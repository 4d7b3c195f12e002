"""Products as meshes: from a look to a fine form, and a simpler one for afar."""

from collections.abc import Callable

from siturec.scene.schema import Product, ShapeKind
from storefront import mesh_decor as decor
from storefront import mesh_furniture as furniture
from storefront import mesh_lamps as lamps
from storefront import mesh_packages as packages
from storefront import mesh_plants as plants
from storefront import mesh_trays as trays
from storefront import mesh_wall as wall
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
    "tray": trays.make_tray,
    "tub": packages.make_tub,
    "produce": make_produce,
    "chair": furniture.make_chair,
    "stool": furniture.make_stool,
    "sofa": furniture.make_sofa,
    "table": furniture.make_table,
    "desk": furniture.make_desk,
    "bed": furniture.make_bed,
    "cabinet": furniture.make_cabinet,
    "bookcase": furniture.make_bookcase,
    "lamp_floor": lamps.make_lamp_floor,
    "lamp_table": lamps.make_lamp_table,
    "lamp_pendant": lamps.make_lamp_pendant,
    "plant": plants.make_plant,
    "planter": plants.make_planter,
    "toy": decor.make_toy,
    "ball": decor.make_ball,
    "console": decor.make_console,
    "rug": decor.make_rug,
    "mirror": wall.make_mirror,
    "frame": wall.make_frame,
    "vase": decor.make_vase,
    "sculpture": decor.make_sculpture,
    "clock": wall.make_clock,
    "basket": decor.make_basket,
    "cushion": decor.make_cushion,
}


def goods_meshes(product: Product, textures: TextureStore) -> tuple[Mesh, Mesh]:
    """The product's mesh, centre of the base at the origin, front facing -y, and a simpler one for afar."""
    maker = MAKERS[product.look.shape]
    meshes = []
    for fine in (True, False):
        builder = MeshBuilder()
        maker(builder, product, textures, fine)
        meshes.append(builder.build())
    return meshes[0], meshes[1]
