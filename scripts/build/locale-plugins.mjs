// Plugins of the bundlers for src/locales: a bundle has only the texts that it uses, as if each section were a module.
import { readFileSync } from 'node:fs';

const folder = new URL('../../src/locales/', import.meta.url);
const read = (language) => JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8'));
const prefix = '\0locales/';

/**
 * For the widget: `en.widget.chat` becomes the import of a module with this section, which is in one bundle only. The file of another
 * language becomes one section with all texts of the widget; in the order of the keys they are compressed best.
 */
export const widgetTexts = {
  name: 'widget-texts',
  enforce: 'pre',
  transform(code) {
    if (!code.includes('/locales/en.json')) return undefined;
    const names = new Set();
    const changed = code.replace(/(?<!typeof )\ben\.widget\.(\w+)/g, (_, name) => {
      names.add(name);
      return `${name}InEnglish`;
    });
    const imports = [...names].map((name) => `import ${name}InEnglish from '${prefix}en/${name}.ts';`);
    return `${imports.join('')}${changed}`;
  },
  resolveId(source) {
    if (source.startsWith(prefix)) return source;
    const [, language] = /\/locales\/([\w-]+)\.json$/.exec(source) ?? [];
    // The name of its file is that of this module.
    return language && language !== 'en' ? `${prefix}${language}.ts` : undefined;
  },
  load(id) {
    if (!id.startsWith(prefix)) return undefined;
    const [language, section] = id.slice(prefix.length, -'.ts'.length).split('/');
    const { widget } = read(language);
    const all = () => Object.values(widget).flatMap((texts) => Object.entries(texts));
    const texts = section ? widget[section] : { widget: [Object.fromEntries(all().sort())] };
    if (!texts) throw new Error(`src/locales/${language}.json has no section widget.${section}.`);
    return `export default ${JSON.stringify(texts)}`;
  },
};

/** For the server and its pages: of each file only these sections. */
export const onlySections = (...sections) => ({
  name: 'only-sections',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/locales\/[\w-]+\.json$/.test(id)) return undefined;
    const texts = Object.entries(JSON.parse(code)).filter(([name]) => sections.includes(name));
    return JSON.stringify(Object.fromEntries(texts));
  },
});
