// The cart of the shop. It knows nothing of the chat.
const key = 'northwind-cart';

/**
 * Creates a cart of `products`, a list of {id, name, price}. `onChange` is called after each change, with a text that says it.
 * `storage` keeps the content for the next page view and for other tabs, if the browser allows it.
 */
export function createCart(products, onChange, storage) {
  let quantities = new Map();
  const find = (name) => {
    const product = products.find((one) => one.id === name || one.name === name);
    if (!product) throw new Error(`The shop has no product “${name}”.`);
    return product;
  };
  const change = (text) => {
    try {
      storage?.setItem(key, JSON.stringify([...quantities]));
    } catch {
      // Full or forbidden: the cart is that of this page view.
    }
    onChange(text);
  };
  const cart = {
    /** Adds a product, by its id or its name. Throws an error that can be read, because the bot shows it. */
    add(product, quantity = 1) {
      const { id, name } = find(product);
      if (!Number.isInteger(quantity) || quantity < 1 || quantity > 9)
        throw new Error('Choose 1 to 9 items.');
      quantities.set(id, (quantities.get(id) ?? 0) + quantity);
      change(`${name} is in your cart.`);
      return cart.content();
    },
    /** Removes a product, or all of them. */
    remove(product) {
      if (product === undefined) quantities.clear();
      else quantities.delete(find(product).id);
      change(product === undefined ? 'Your cart is empty.' : `${find(product).name} was removed.`);
      return cart.content();
    },
    /** The content as data: the number of items, the sum, and the products. */
    content() {
      const list = [...quantities].map(([id, quantity]) => ({ ...find(id), quantity }));
      const items = list.reduce((sum, { quantity }) => sum + quantity, 0);
      const total = list.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
      return { items, total, products: list };
    },
    /** Takes the content that was stored, by an earlier page view or by another tab. What the shop does not sell is left out. */
    read() {
      let stored = [];
      try {
        stored = JSON.parse(storage?.getItem(key) ?? '[]');
      } catch {
        // Forbidden, or not written by this page.
      }
      const isValid = ([id, quantity]) =>
        products.some((one) => one.id === id) && Number.isInteger(quantity) && quantity > 0;
      quantities = new Map(
        Array.isArray(stored) ? stored.filter((row) => Array.isArray(row) && isValid(row)) : [],
      );
    },
    /** The key of the storage, for the event `storage`. */
    key,
  };
  cart.read();
  return cart;
}

/** One line about the content of a cart. */
export function summaryOf({ items, total }) {
  if (items === 0) return 'Your cart is empty.';
  return `In your cart: ${items} ${items === 1 ? 'item' : 'items'}, CHF ${total}`;
}
