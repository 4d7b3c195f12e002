"""Labels said aloud are caught; ordinary speech is left alone."""

import pytest

from siturec.markers.leaks import leaked_markers
from siturec.protocol.messages import Sighting


def seen(entity, user, assistant, name="Thing"):
    return Sighting(
        entity=entity,
        kind=entity.partition(":")[0],
        name=name,
        user_marker=user,
        assistant_marker=assistant,
        distance_m=1,
    )


VISIBLE = (
    seen("product:salmon", "4", "B", "Northcove Salmon"),
    seen("product:tofu", "12", "A", "Tofu 2"),
    seen("product:cereal", "2", "AA", "Omega 3 Flakes"),
    seen("fixture:cooler", "C", "7", "Open cooler 2"),
    seen("fixture:shelf", "I", "1", "Breakfast Shelf"),
    seen("area:lamps", "A2", "1b", "Lamps"),
    seen("area:desks", "B5", "2g", "Desks"),
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Please walk to C.", ["C"]),
        ("The salmon is in cooler C, on your left.", ["C"]),
        ("Go to the one labelled 4.", ["4"]),
        ("Take item 12 and compare it with item 4.", ["12", "4"]),
        ("I would take number 4.", ["4"]),
        ("It is marked with 12.", ["12"]),
        ("Look at #4, please.", ["4"]),
        ("The salmon (4) is mild.", ["4"]),
        ("The salmon [B] is mild.", ["B"]),
        ("Head over to A2 now.", ["A2"]),
        ("See a2?", ["A2"]),
        ("The lamps are in 1b.", ["1b"]),
        ("Fixture 7 is ahead.", ["7"]),
        ("Please check product AA.", ["AA"]),
        ("4", ["4"]),
        ("C.", ["C"]),
        ("Try product A.", ["A"]),
        ("pick up B", ["B"]),
        ("The desks are in area 2g.", ["2g"]),
        ("Ich nehme Nummer 4.", ["4"]),
        ("Gehen wir zu C!", ["C"]),
        ("Was kostet das Produkt 12?", ["12"]),
        ("Der Lachs mit der Markierung 4 im Regal C.", ["4", "C"]),
        ("Die Lampen stehen im Bereich A2.", ["A2"]),
        ("Head over to \uff21\uff12 now.", ["A2"]),
        ("It is marked with \uff11\uff12.", ["12"]),
        ("The salmon is in cooler \uff23.", ["C"]),
        ("Head over to A\u200b2.", ["A2"]),
        ("The lamps are at A-2.", ["A2"]),
        ("Go to A 2, please.", ["A2"]),
        ("See area a 2.", ["A2"]),
        ("The lamps are at 1 b.", ["1b"]),
        ("Is it in cooler c?", ["C"]),
        ("Go to c, please.", ["C"]),
        ("I like product a.", ["A"]),
        ("Nehmen wir Produkt b!", ["B"]),
        ("Look at the C cooler.", ["C"]),
        ("The salmon is **B**.", ["B"]),
        ("Label: C", ["C"]),
        ("Compare B and AA.", ["B", "AA"]),
        ("I would prefer B, please.", ["B"]),
        ("It's B.", ["B"]),
        ("B?", ["B"]),
        ("Look at items 4, 12 and 2.", ["4", "12", "2"]),
        ("Number four looks good.", ["4"]),
        ("Walk to 7.", ["7"]),
        ("Come to 7.", ["7"]),
        ("The posters are in A2.", ["A2"]),
        ("Fixture 7 on your right.", ["7"]),
        ("What about B?", ["B"]),
        ("I would go with B.", ["B"]),
        ("Is B vegan?", ["B"]),
        ("How much is B?", ["B"]),
        ("B is the cheapest.", ["B"]),
        ("Do you see C on your left?", ["C"]),
        ("The salmon is in C.", ["C"]),
        ("B or AA?", ["B", "AA"]),
        ("Show me AA.", ["AA"]),
        ("Was ist mit B?", ["B"]),
        ("B ist günstiger.", ["B"]),
        ("Ich würde B nehmen.", ["B"]),
        ("Schau dir B an.", ["B"]),
        ("Zeig mir B.", ["B"]),
        ("Go to 7, please.", ["7"]),
        ("Geh zu 7.", ["7"]),
        ("Check 12.", ["12"]),
        ("Compare 4 and B.", ["4"]),
        ("What does 12 cost?", ["12"]),
        ("Tell me about 12.", ["12"]),
        ("I prefer 12 over the salmon.", ["12"]),
        ("The one with the 4 on it.", ["4"]),
        ("Das mit der 4.", ["4"]),
        ("Product-12", ["12"]),
        ("See number12.", ["12"]),
        ("Take product no 12.", ["12"]),
        ("Item No.12", ["12"]),
        ("Item twelve, please.", ["12"]),
        ("Die Nummer zwölf.", ["12"]),
        ("Das Etikett 12.", ["12"]),
        ("Option B, please.", ["B"]),
        ("I choose option 4.", ["4"]),
        ("Option zwölf.", ["12"]),
        ("Yes, B.", ["B"]),
        ("Not C!", ["C"]),
        ("C please", ["C"]),
        ("C it is.", ["C"]),
        ("The C one looks good.", ["C"]),
        ("Put B in the cart.", ["B"]),
        ("It is left of C.", ["C"]),
        ("I picked up B.", ["B"]),
    ],
)
def test_a_label_said_is_caught(text, said):
    assert leaked_markers(text, VISIBLE) == said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A good choice would be the salmon.",
        "I would like 2 apples and 4 lemons.",
        "It costs $4, or 4.50 with the sauce.",
        "A 12 pack is 7 dollars.",
        "Ich hätte gern 2 Äpfel und 4 Zitronen, nicht mehr als 12 Euro.",
        "Gehen wir 4 Meter vor und dann 12 Grad nach links.",
        "Das ist für mich Nummer 2 mal drei, und zu A sage ich nichts.",
        "It has 12 g of protein and 2 g of fat.",
        "It has 2g of sugar per 100 g.",
        "Go straight for 4 m, then turn left 12 degrees.",
        "Rich in vitamin C, B12 and vitamin A2.",
        "Plan B would be tofu.",
        "I like tea. I do not like coffee. So am I.",
        "The Open cooler 2 has fish; the Tofu 2 is there too.",
        "Omega 3 Flakes are 4 dollars.",
        "Our number 1 choice is the salmon.",
        "Number 4 of 12 people buy it.",
        "We need about 4 to 7 items.",
        "Products 2 to 4 years old are fine.",
        "Your budget is 12%.",
        "C'est la vie; the A-team; B&B.",
        "Grade A beef is nice.",
        "Take 4 of them.",
        "Take a look at a nice lamp.",
        "It's 4.",
        "Is the shelf 2 metres wide?",
        "Item 4.5 costs more.",
        "Vitamins A, B and C, or vitamin B 12.",
        "Size C, model A2, A2 paper, an A2 poster and grade B eggs.",
        "The lamp is in energy class A+, labelled A++.",
        "I take AA batteries.",
        "Do you have A2 milk?",
        "Go to a 2 litre bottle.",
        "Is this product a good one? Which item I like is my affair.",
        "The freezer one is cheaper.",
        "At most 12, between 4 and 12, or 4?",
        "Items 12 or fewer; item 2 on my list.",
        "My budget can go to 12.",
        "That would come to 12.",
        "Das Regal 2 Meter weiter, im Bereich 12 Euro, im Laden 12 Stunden offen; ein Regal 2 x 4 m.",
        "The freezer number two from the left, Regal zwei von rechts, shelf 2 from the top.",
        "It is item 4 in our ranking; die Nummer zwei auf meiner Liste.",
        "Im Bereich 4 bis 12 Euro.",
        "An A2 frame, a frame for A2, Bilderrahmen A2, ein Rahmen für A2.",
        "Free from E numbers, and no E 120; take C cells.",
        "Size: C. Nutri-Score B, rating: AA.",
        "Etwas Süßes, z. B. Tee oder Reis, d. h. kein Fisch.",
        "No. 4 would be too many; I say no. 12 is too much.",
        "The store is open 24/7.",
        "I would prefer 2, please. About 4, or about 12.",
        "How much is 4 kg, and how much does 12 eggs make?",
        "Have you been in the U.K. with C. B. Smith?",
        "I have 2, B vitamins included. Is A good? In a way, like I said.",
        "It costs more than twelve; twelve is a number I like.",
        "Mit 4 Personen, zwischen 4 und 12.",
        "I came by bus number 4, from room no. 12. Zimmer Nummer 12.",
        "My option 2 years ago; 4 options; options 2 or more; no other option I like.",
        "Yes, I do. No, A is not a name. Put a lamp in the cart. Not I.",
    ],
)
def test_ordinary_speech_is_no_leak(text):
    assert leaked_markers(text, VISIBLE) == []


def test_only_the_asked_alphabets_are_looked_for_and_blank_markers_never():
    text = "Go to C, it is fixture 7."
    assert leaked_markers(text, VISIBLE, roles=("user",)) == ["C"]
    assert leaked_markers(text, VISIBLE, roles=("assistant",)) == ["7"]
    assert leaked_markers("anything", [seen("product:x", "", "")]) == []


def test_names_of_the_scene_may_be_said_though_they_are_not_in_view():
    assert leaked_markers("Go to Shelf 4.", VISIBLE) == ["4"]
    assert leaked_markers("Go to Shelf 4.", VISIBLE, names=["Shelf 4"]) == []


def test_what_is_neither_in_view_nor_on_the_map_has_no_label_to_leak():
    assert leaked_markers("Walk to Z, item 99.", VISIBLE) == []
    assert leaked_markers("Walk to Z, item 99.", VISIBLE, places=["Z", "27"]) == ["Z"]
    assert leaked_markers("Walk to fixture 27.", [], places=["Z", "27"]) == ["27"]


@pytest.mark.parametrize(
    "text",
    [
        "Do you have this shirt in L?",
        "Is it available in M?",
        "I need something in S, if possible.",
        "M or L?",
        "S is too small, M is fine.",
        "Haben Sie das in L?",
        "M oder L?",
        "It is rich in C and zinc.",
        "Is there anything high in C?",
        "Ist reich an C.",
        "Vitamins C and D, what about K?",
        "And vitamin D is important, C is too.",
        "Is E good for me?",
        "Yes, V is for vegan.",
        "O is healthy.",
        "I'd like to see items ten or under.",
    ],
)
def test_sizes_vitamins_and_amounts_are_no_leak_whatever_labels_there_are(text):
    every = [*(chr(letter) for letter in range(ord("A"), ord("Z") + 1)), *map(str, range(1, 60))]
    assert leaked_markers(text, [], places=every) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("F is fine.", ["F"]),
        ("Ist O in Ordnung?", ["O"]),
        ("M is on your left.", ["M"]),
        ("S is behind you.", ["S"]),
        ("E is to the right.", ["E"]),
        ("E is fine, and K is okay.", []),
        ("Vitamin D, not C.", []),
    ],
)
def test_what_only_a_label_can_be_is_none_of_a_size_or_vitamin(text, said):
    every = [chr(letter) for letter in range(ord("A"), ord("Z") + 1)]
    assert leaked_markers(text, [], places=every) == said


def test_a_long_text_of_little_words_is_read_to_its_end():
    words = "F is " + "so " * 6000 + "the item " * 300 + "1, " * 300
    assert leaked_markers(words, [], places=["F", "4", "A2"]) == ["F"]
