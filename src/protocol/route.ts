// The route of an API operation.
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** A method and a path below the base of the API, parameters in braces. */
export type Route = `${Method} /${string}`;
