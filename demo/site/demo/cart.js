// The cart of the shop. It knows nothing of the chat.

/** Creates a cart of `products`, a list of {id, name, price}. `onChange` is called after each change, with a text that says it. */
export function createCart(products, onChange) {
  const quantities = new Map();
  const find = (id) => {
    const product = products.find((one) => one.id === id);
    if (!product) throw new Error(`The shop has no product “${id}”.`);
    return product;
  };
  return {
    /** Adds a product. Throws an error that can be read, because the bot shows it. */
    add(id, quantity = 1) {
      const { name } = find(id);
      if (!Number.isInteger(quantity) || quantity < 1 || quantity > 9)
        throw new Error('Choose 1 to 9 items.');
      quantities.set(id, (quantities.get(id) ?? 0) + quantity);
      onChange(`${name} is in your cart.`);
      return this.content();
    },
    remove(id) {
      const { name } = find(id);
      quantities.delete(id);
      onChange(`${name} was removed.`);
    },
    /** The content as data: the number of items, the sum, and the products. */
    content() {
      const list = [...quantities].map(([id, quantity]) => ({ ...find(id), quantity }));
      const items = list.reduce((sum, { quantity }) => sum + quantity, 0);
      const total = list.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
      return { items, total, products: list };
    },
  };
}

/** One line about the content of a cart. */
export function summaryOf({ items, total }) {
  if (items === 0) return 'Your cart is empty.';
  return `In your cart: ${items} ${items === 1 ? 'item' : 'items'}, CHF ${total}`;
}
