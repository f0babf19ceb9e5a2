// @vitest-environment jsdom
import { describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../../polling.testing.ts';
import { mount, show } from '../testing.ts';
import './math.ts';

/** Renders a whole text and waits until its formulas are drawn. */
async function draw(markdown: string): Promise<HTMLElement> {
  const host = show(markdown);
  await waitFor(() => expect(host.querySelector('.waiting')).toBeNull());
  return host;
}

const formulas = (host: Element) => [...host.querySelectorAll('annotation')].map((node) => node.textContent);

describe('formulas in Markdown', () => {
  test('are drawn in text, headings, lists, tables and quotes', async () => {
    const host = await draw(
      '# On $a$\n\nLet **$b$** be.\n\n- one $c$\n- two\n  $$\n  + d\n  $$\n\n| x |\n|-|\n| $e$ |\n\n> $f$\n> \\[\n> g\n> \\]\n\n\\[\nh \\\\\n+ i\n\\]',
    );
    expect(formulas(host)).toEqual(['a', 'b', 'c', '+ d', 'e', 'f', 'g', 'h \\\\ + i']);
    expect(host.querySelectorAll('math[display=block]')).toHaveLength(3);
    expect(host.querySelector('h3 math')).not.toBeNull();
    expect(host.querySelector('strong math')).not.toBeNull();
    expect(host.querySelector('td math')).not.toBeNull();
    expect(host.querySelectorAll('li')).toHaveLength(2);
  });

  test('marks of Markdown in them have no meaning', async () => {
    const host = await draw(
      '$x_1$ and $x_2$, *a $b*c$ d*, $[1](2)$, $a~b~c$, $\\{x\\}$, $a<b>c$ and $p \\| q$',
    );
    expect(formulas(host)).toEqual(['x_1', 'x_2', 'b*c', '[1](2)', 'a~b~c', '\\{x\\}', 'a<b>c', 'p \\| q']);
    expect(host.querySelectorAll('em')).toHaveLength(1);
    expect(host.querySelector('em')?.textContent).toContain(' d');
    expect(host.querySelector('a')).toBeNull();
  });

  test('code stays code', async () => {
    const host = await draw('`$a$` and\n\n```\n$$b$$\n```\n\n    $c$\n\n```math\nd\n```');
    expect(formulas(host)).toEqual([]);
    expect(host.querySelector('.formula')).toBeNull();
    expect(host.textContent).toContain('$a$');
    expect(host.textContent).toContain('$$b$$');
  });

  test('prices stay text', async () => {
    const host = await draw('It is $5 and $10, or \\$7, from $5/$10 to US$20.');
    expect(host.textContent).toBe('It is $5 and $10, or $7, from $5/$10 to US$20.');
  });

  test('a formula that cannot be read is its source', async () => {
    const host = await draw('So $\\unknown{x}$ and $$\\frac{1$$ and $\\href{javascript:alert(1)}{x}$ end.');
    expect(host.textContent).toBe(
      'So $\\unknown{x}$ and $$\\frac{1$$ and $\\href{javascript:alert(1)}{x}$ end.',
    );
    expect(host.querySelector('math, a, .formula')).toBeNull();
  });

  test('are read from left to right, and one on its own line can be scrolled with the keyboard', async () => {
    const host = await draw('نص $x$\n\n$$y$$');
    const [inline, display] = host.querySelectorAll<HTMLElement>('.formula');
    expect(inline).toMatchObject({ dir: 'ltr', tabIndex: -1 });
    expect(display).toMatchObject({ dir: 'ltr', tabIndex: 0 });
    expect(display?.getAttribute('role')).toBe('group');
  });

  test('content cannot forge the mark of a formula', async () => {
    const host = await draw('<code lang="math">$x$ y</code> `x`{lang=math}\n\n```math\n$x$\n```');
    expect(formulas(host)).toEqual(['x']);
    for (const code of host.querySelectorAll('code')) expect(code.lang).toBe('');
  });

  test('a long text of formulas has a limit', async () => {
    const host = await draw(Array.from({ length: 300 }, (_, i) => `$x_{${i}}$`).join(' '));
    expect(formulas(host)).toHaveLength(200);
    expect(host.textContent).toContain('$x_{299}$');
  });

  test('while the text grows, no half of a formula is shown, and drawn ones stay the same elements', async () => {
    await draw('$x$');
    vi.useFakeTimers();
    const text =
      'First $a^2$ then\n\n$$\n\\begin{aligned}\nx &= 1 \\\\\n- y &= 2\n\\end{aligned}\n$$\n\nand \\(z_1\\), *so $b*c$ is*. $5 and $10 too, \\[w\\]';
    const { host, view } = mount();
    let first: Element | undefined;
    let count = 0;
    for (let end = 1; end <= text.length; end++) {
      view.update(text.slice(0, end), true);
      vi.advanceTimersByTime(3_000);
      const shown = [...host.querySelectorAll('p, li')]
        .map((node) => {
          const copy = node.cloneNode(true) as Element;
          for (const math of copy.querySelectorAll('math')) math.remove();
          return copy.textContent;
        })
        .join('');
      expect(shown, text.slice(0, end)).not.toMatch(/\\|\^|_|\$(?!5|10)|&/);
      const now = host.querySelectorAll('math');
      expect(now.length).toBeGreaterThanOrEqual(count);
      count = now.length;
      first ??= now[0];
      expect(now[0]).toBe(first);
    }
    view.update(text, false);
    vi.advanceTimersByTime(3_000);
    expect(formulas(host)).toEqual([
      'a^2',
      '\\begin{aligned} x &= 1 \\\\ - y &= 2 \\end{aligned}',
      'z_1',
      'b*c',
      'w',
    ]);
    expect(host.querySelector('math')).toBe(first);
    expect(host.textContent).toContain('$5 and $10 too');
    view.dispose();
    vi.useRealTimers();
  });

  test('the finished text is the same however it came', async () => {
    await draw('$x$');
    vi.useFakeTimers();
    const text = 'Let $x$ cost $5.\n\n- \\[\n  a\n  + b\n  \\]\n\n$$\n\nnot\n\n$$ and $$y$$';
    const whole = show(text).innerHTML;
    const { host, view } = mount();
    for (let end = 1; end <= text.length; end += 3) {
      view.update(text.slice(0, end), true);
      vi.advanceTimersByTime(1_000);
    }
    view.update(text, false);
    vi.advanceTimersByTime(1_000);
    expect(host.innerHTML).toBe(whole);
    vi.useRealTimers();
  });
});
