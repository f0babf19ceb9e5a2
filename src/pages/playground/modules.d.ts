// Vite gives the text of a file under the suffix ?raw, and puts imported style sheets into a file of the page.
declare module '*?raw' {
  const text: string;
  export default text;
}
declare module '*.css';
