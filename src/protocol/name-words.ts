// The words for names in JSON, as people read them: "Order ID" for `orderId`. Names come from the wire and can have any form. Pure.

/** Words that are written in capitals, between spaces. */
const capitals = /(^| )(id|url|ip|sku|vat|crm|utm|api)(?= |$)/gi;

/**
 * Returns a name in words: `orderId`, `order_id` and `order-id` are "Order ID". A text, which has spaces or other signs than names
 * have, stays as it is apart from its first letter.
 */
export function wordsOfName(name: string): string {
  const isText = /[^\p{L}\p{M}\p{N}_.:/-]/u.test(name.trim());
  const words = isText
    ? name
    : name
        .replace(/[\s_.:/-]+/g, ' ')
        .trim()
        .replace(/([\p{Ll}\p{N}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
        .replace(/\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase())
        .replace(capitals, (word) => word.toUpperCase());
  // Nothing but separators.
  return (words || name).trim().replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
