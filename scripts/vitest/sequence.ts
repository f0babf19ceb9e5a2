// The order of the test files: those that need a DOM come first, together. A process of the tests has one environment, and ends
// when the next file needs the other one: the new process has to load everything again.
import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whether a test says on its first line that it needs a DOM. */
const needsDom = ({ moduleId }: TestSpecification) =>
  /^\/\/ @vitest-environment jsdom$/m.test(readFileSync(moduleId, 'utf8'));

export default class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(needsDom), ...sorted.filter((file) => !needsDom(file))];
  }
}
