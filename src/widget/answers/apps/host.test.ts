// Tests where the look of an app without one is added to its document.
import { expect, test } from 'vitest';
import { withLook } from './host.ts';

test.each([
  ['<!doctype html><html lang="en"><title>A</title>', '<!doctype html><html lang="en">LOOK<title>A</title>'],
  ['<!DOCTYPE html>\n<html><head lang="en"><meta>', '<!DOCTYPE html>\n<html><head lang="en">LOOK<meta>'],
  ['<p>A</p>', 'LOOK<p>A</p>'],
  ['<header>A</header>', 'LOOK<header>A</header>'],
  // A doctype that is not first would be ignored.
  ['<!-- A --><!doctype html><p>A</p>', '<!-- A --><!doctype html><p>A</p>'],
  ['<!doctype html><!-- A --><html>', '<!doctype html><!-- A --><html>'],
])('%j has it before its own styles', (html, expected) => {
  expect(withLook(html).replace(/<style>[\s\S]*<\/style>/, 'LOOK')).toBe(expected);
});

test('any rule of the app takes precedence', () => {
  const [, css = ''] = /<style>([\s\S]*)<\/style>/.exec(withLook('')) ?? [];
  const selectors = [...css.matchAll(/^([^@\n{}]+)\{/gm)].map(([, selector = '']) => selector);
  expect(selectors.length).toBeGreaterThan(3);
  expect(selectors.filter((selector) => !/^:where\(.*\)$/.test(selector))).toEqual([]);
});
