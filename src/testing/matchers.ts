// For `expect.extend(matchers)`, in vitest and jest.
import type { KindProps } from '../constructs/index.ts';
import type { Program } from './program.ts';
import type { PartOf } from './template.ts';
import { Template } from './template.ts';

/** What `expect` has once it was extended: an interface of the test runner is to extend this. */
export interface HostwrightMatchers<Result> {
  /** There is a manifest of the kind with these props among its own, as `Template.has` says it. */
  toHaveResource<Kind extends keyof KindProps>(kind: Kind, props?: PartOf<Kind>): Result;
  toHaveResource<Kind extends keyof KindProps>(kind: Kind, name: string, props?: PartOf<Kind>): Result;
}

export const matchers = {
  toHaveResource(
    received: unknown,
    kind: string,
    ...given: readonly unknown[]
  ): { readonly pass: boolean; readonly message: () => string } {
    const template = received instanceof Template ? received : Template.fromApp(received as Program);
    try {
      Reflect.apply(template.has.bind(template), undefined, [kind, ...given]);
      const name = typeof given[0] === 'string' ? ` \`${given[0]}\`` : '';
      return { pass: true, message: () => `There is a ${kind}${name} with these props, and there should be none.` };
    } catch (error) {
      return { pass: false, message: () => (error as Error).message };
    }
  },
};
