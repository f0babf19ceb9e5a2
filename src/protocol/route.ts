// The route of an API operation.

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** A method and a path below the base of the API, parameters in braces. */
export type Route = `${Method} /${string}`;
