// Vite returns the text of a file that is imported with the suffix ?raw, and adds imported style sheets to the page.
declare module '*?raw' {
  const text: string;
  export default text;
}
declare module '*.css';
