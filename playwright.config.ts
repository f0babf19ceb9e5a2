// End-to-end tests: a real Chromium, the built files, the real server (each worker starts its own ones, e2e/support/fixtures.ts).
import './e2e/support/machine/environment.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findProgram } from './scripts/browser.mjs';

const executablePath = findProgram('headless');

/** The files with stories. The others are not loaded for them: that takes time, and some need programs that the stories do without. */
const storyFiles = readdirSync('e2e', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.spec.ts') && readFileSync(join('e2e', file), 'utf8').includes('@story'))
  .map((file) => `**/${file}`);

export default defineConfig({
  testDir: 'e2e',
  // `*.test.ts` (the short stress tests) belong to vitest.
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/support/require-build.ts',
  // A test waits for a part of its time: two workers used two cores for little more than four fifths of it, three use both. A
  // worker has its own servers and browser.
  workers: 3,
  // A file belongs to one worker, which starts the servers of the file and bundles its sites once. Long files at the end of the
  // alphabet spread their tests, so that no worker is left alone with one (`mode: 'parallel'`).
  fullyParallel: false,
  forbidOnly: !!process.env.CI,
  // A test waits for what it asserts, and has one try: one that fails at times is a fault of the product or of the test.
  retries: 0,
  // Something basic is broken: say so soon.
  maxFailures: 8,
  // Limits for failures only: on a machine that is six times slower than usual every condition is still met. Drawing 100 kB of
  // Markdown took more than 15 s twice in CI, and takes 9 s with ten busy loops beside it.
  timeout: 120_000,
  expect: { timeout: 45_000 },
  reporter: 'list',
  projects: [
    // One to three tests for each feature, which `npm test` runs.
    { name: 'stories', testMatch: storyFiles, grep: /@story/ },
    { name: 'rest', grepInvert: /@story/ },
  ],
  use: {
    browserName: 'chromium',
    // Defaults of Playwright that tests of texts and sizes rely on. Nothing sets the time zone: it is that of the process.
    locale: 'en-US',
    deviceScaleFactor: 1,
    // Places and sizes are asked for where things rest; what moves has tests of its own.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace costs a quarter of the time.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      // Milliseconds between the steps of a test: as on a machine that stops it again and again.
      slowMo: Number(process.env.SLOW_STEPS ?? 0),
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A microphone that beeps and that the visitor allows, and a page that is not a secure context (e2e/conversation/message-sound.spec.ts).
        // A file with arguments of its own would need a worker and a browser of its own.
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        '--host-resolver-rules=MAP chat.example 127.0.0.1',
      ],
    },
  },
});
