// How the kinds of this area are worded for people.
import type { Json } from '../../model/json.ts';
import type { Subject, WordsOf } from '../../model/kind/words.ts';
import { HIDDEN } from '../../model/kind/words.ts';
import type { Change } from '../../model/plan/plan.ts';
import { listOf } from '../../model/format.ts';
import { snakeCase } from '../common/wire-names.ts';
import { DETAILS, PERSON } from './kinds/contact-wire.ts';

export const registrationWords: WordsOf = {
  Contact: { alsoCalled: ['person', 'registrant', 'owner'] },
  DomainRegistration: { alsoCalled: ['registration'], noun: 'registration' },
  RegistrationContacts: { noun: 'contacts' },
  RegistrationDnssec: { alsoCalled: ['dnssec'], noun: 'DNSSEC' },
  RegistrationHost: { alsoCalled: ['glue'], noun: 'glue record' },
  RegistrationLock: {
    noun: 'transfer lock',
    turned: {
      '/locked': (isOn, parent) => (isOn ? `Lock ${parent} against transfer` : `Unlock ${parent} for transfer`),
    },
    exposure: 'may be transferred away',
  },
  RegistrationNameservers: { alsoCalled: ['nameserver'], noun: 'name servers' },
  // REG-19
  RegistrationOwner: {
    noun: 'owner',
    subject: holderOf,
    personalKeys: [...PERSON, ...DETAILS, 'extraProperties'].map(snakeCase),
  },
  RegistrationPrivacy: { noun: 'privacy' },
};

type Text = (value: Json | undefined) => string | undefined;

const NAMES = PERSON.map((field) => `/${field}`);
const DETAIL_WORDS: Readonly<Record<string, string>> = {
  '/streetAddress': 'address',
  '/postCode': 'address',
  '/city': 'address',
  '/state': 'address',
  '/country': 'address',
  '/email': 'email',
  '/phone': 'phone',
};

/** Another name or organization is another holder (REG-25); everything else is a detail of the same one. */
function holderOf(changes: readonly Change[], text: Text): Subject {
  if (changes.some(({ path }) => NAMES.includes(path))) return { what: 'new holder', name: nameOf(changes, text) };
  const details = [...new Set(changes.map(({ path }) => DETAIL_WORDS[path] ?? 'registry data'))];
  return { what: `${listOf(details, 'and')} of the holder` };
}

/** As far as the name changes: `Jane Doe of Acme BV`. */
function nameOf(changes: readonly Change[], text: Text): string {
  const values = NAMES.map((name) => changes.find(({ path }) => path === name)?.value);
  if (values.includes(HIDDEN)) return HIDDEN;
  const [first, last, organization] = values.map(text);
  const person = [first, last].filter((name) => name !== undefined && name !== '').join(' ');
  if (organization === undefined) return person;
  if (organization === '') return person === '' ? 'the organization is removed' : `${person}, no organization`;
  return person === '' ? organization : `${person} of ${organization}`;
}
