// Advice on HW7100 to HW7199: what the platform tells, and the runs that it starts.
import type { AdviceTable } from './advice.ts';

export const EVENT_ADVICE: AdviceTable = {
  HW7101: {
    why: 'Whoever can reach the receiver could start runs. So each message has to show a secret as its header Authorization, and the receiver does not start without one.',
    fix: 'Set HOSTWRIGHT_HOOK_AUTHORIZATION where the receiver runs, and the same value as the authorization of the webhook of the billing plan. While you replace it, write the new and the old value, one a line.',
    example:
      'export HOSTWRIGHT_HOOK_AUTHORIZATION="Bearer $(openssl rand -hex 32)"\nhostwright receive \'accounts/*\' --dispatch github --repository acme/hosting',
  },
  HW7102: {
    why: 'The receiver starts no run itself: it hands each one on, and has to know to whom and with which token.',
    fix: 'Name what the detail asks for.',
  },
  HW7104: {
    why: 'The address is not one of this machine, or another program listens there.',
    fix: 'Give another address with --listen, such as 127.0.0.1:8081. Port 0 takes any that is free.',
  },
  HW7110: {
    why: 'The workspace file says that orders carry a callback with a secret, and this run has no secret to give. The receiver would refuse each call.',
    fix: 'Set the variable that `callback.authorization.env` names where apply runs, to the value that the receiver accepts. To buy without being called back, leave `callback` out of the workspace file.',
  },
};
