// The commands that act beside plans: the tables of all areas as one, by the words of the command.
import { accountCommands } from './account/commands.ts';
import { cdnCommands } from './cdn/commands.ts';
import { mailCommands } from './mail/commands.ts';
import { contactCommands } from './registration/contact-commands.ts';
import { nameCommands } from './registration/name-commands.ts';
import { shieldCommands } from './shield/commands.ts';
import { archiveCommands } from './site/archive-commands.ts';
import { siteCommands } from './site/commands.ts';
import { trafficCommands } from './site/traffic-commands.ts';

export const COMMANDS = {
  ...siteCommands,
  ...archiveCommands,
  ...trafficCommands,
  ...cdnCommands,
  ...shieldCommands,
  ...mailCommands,
  ...nameCommands,
  ...contactCommands,
  ...accountCommands,
};

export type { Asked, Command, OpenAccount } from './common/command.ts';
export { begunIn, failed, notConfirmed, notNow, unknownEnd } from './common/command.ts';
export { SITE } from './site/commands.ts';
export type { LogName, MetricName } from './site/traffic-commands.ts';
