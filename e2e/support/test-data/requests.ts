// Requests of the test data that a limit of the server may refuse, and the bytes of its files.

/** Returns undefined if the server has refused the request, because a limit is reached. */
export const orRefused = <T>(request: Promise<T>): Promise<T | undefined> => request.catch(() => undefined);

/** Sends the bytes of a file to the server, whose public address may be another one. */
export const putBytes = (chatUrl: string, uploadUrl: string, body: string): Promise<Response> =>
  fetch(new URL(new URL(uploadUrl).pathname, chatUrl), { method: 'PUT', body });
