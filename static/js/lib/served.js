// What the server says in English and the page shows in the reader's language: the fixed sentences, here so
// that translators meet them. What holds names or numbers is worded by the page itself.

const gettext_noop = (text) => text;

export const SERVED = [
  gettext_noop("You already hold a product; drop it or add it to the cart first."),
  gettext_noop("You hold nothing to put back."),
  gettext_noop("Pick up a product before adding it to the cart."),
  gettext_noop("Check a product before deciding about it."),
  gettext_noop("No fixture is in view."),
  gettext_noop("No store is in view."),
  gettext_noop("No area is in view."),
  gettext_noop("No product is within reach; walk closer."),
  gettext_noop("This interaction is over."),
  gettext_noop("There is nothing to do in the store now. Please go on."),
  gettext_noop("The assistant is busy; you are next."),
  gettext_noop("This takes longer than usual. We are trying again."),
  gettext_noop("This takes longer than usual. We are trying another way."),
  gettext_noop("The assistant is rethinking its answer."),
  gettext_noop("Your participation has ended in the meantime. What you wrote is kept."),
  gettext_noop("Something on our side needs a moment. Your turn is kept, and we are trying again."),
  gettext_noop("We are sorry: this interaction cannot go on, through no fault of yours. Please continue."),
  gettext_noop("The practice store is not available right now. You can go on without it."),
];
