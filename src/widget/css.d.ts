// Vite exports the text of a style sheet under this suffix.
declare module '*.css?inline' {
  const css: string;
  export default css;
}
