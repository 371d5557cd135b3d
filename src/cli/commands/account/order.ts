// `order`: what a person does with a purchase that goes on.
import { Argument } from 'commander';
import type { CliCommand } from '../../command.ts';
import { withAct } from '../../options.ts';
import { actCommand } from '../act.ts';

const HELP = `
An order that has not ended can be cancelled, such as one that waits for its payment; one that is completed, failed or
cancelled cannot. No manifest is read.`;

export function addOrder(program: CliCommand): void {
  const order = program.command('order').description('Purchases that go on.').addHelpText('after', HELP);
  const id = new Argument('<id>', 'The id of an order, as plan, apply and doctor name it.');
  withAct(actCommand(order, 'order cancel', { takes: [id] }))
    .description('Cancel an order that has not ended, and wait until it is cancelled.')
    .examples(['hostwright order cancel 0f6c2a9e-4f58-4b8e-9d5e-0a8f6f0c7b11', 'says what it is for, and asks']);
}
