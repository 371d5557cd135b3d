// The order of three plans as pictures, word for word: read a changed file before you accept it.
import { expect, it } from 'vitest';
import { graphOf, renderDot, renderMermaid } from '../../src/report/graph/graph.ts';
import { openHarness } from '../support/open-harness.ts';

it.each([
  ['a-site-from-nothing', 'small'],
  ['moving-a-domain', 'small'],
  ['a-registrar-clean-up', 'registrar'],
])('the order of the plan of %s is drawn as it was', async (example, scenario) => {
  const harness = await openHarness({ example, scenario });
  const graph = graphOf(await harness.planned());
  await expect(`${renderMermaid(graph)}\n`).toMatchFileSnapshot(`${example}.mmd`);
  await expect(`${renderDot(graph)}\n`).toMatchFileSnapshot(`${example}.dot`);
});
