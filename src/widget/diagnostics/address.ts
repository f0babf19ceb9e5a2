// The addresses of operations of the Chat API, from their declared routes.

/** `route`: such as `GET /conversations/{id}`. `id`: that of its path. */
export const addressOf = (chatUrl: string, route: string, id = ''): string =>
  chatUrl + route.slice(route.indexOf('/')).replace('{id}', encodeURIComponent(id));
