// What the small account has of cache layers, backups and transactional mail: mail that is delivered as `The Shop`, and a
// log of it in both shapes.
import { EPOCH_MS } from '../core/clock.ts';
import type { State } from '../core/state.ts';
import { mailAccount, mailMessage, verifiedAccount } from './mail/state.ts';

export function small({ sites }: State): void {
  const minutesAgo = (minutes: number): number => EPOCH_MS - minutes * 60_000;
  const blog = sites.get('site-blog');
  if (blog !== undefined) blog.mail = null;
  const docs = sites.get('site-docs');
  if (docs !== undefined) docs.mail = mailAccount(EPOCH_MS, { status: 'pending' });
  const shop = sites.get('site-shop');
  if (shop === undefined) return;
  shop.layers.nginx.on = true;
  shop.volumes[0]?.archives.push({ id: 'arch-nightly', name: 'nightly', createdAt: EPOCH_MS - 86_400_000 });
  shop.mail = verifiedAccount(EPOCH_MS - 86_400_000, 'shop.example.com');
  shop.mail.fromName = 'The Shop';
  shop.mail.messages.push(
    mailMessage({ rcpt: 'ada@customer.example', subject: 'Your order 17', sentAt: minutesAgo(50) }),
    mailMessage({
      rcpt: 'bob@customer.example',
      subject: 'Your order 18',
      sentAt: minutesAgo(40),
      delivered: 'N',
      rspcode: '550',
      rspmsg: 'no such user',
    }),
    mailMessage({ rcpt: 'relay@platform.example', sentAt: minutesAgo(30), relay: true }),
    mailMessage({ rcpt: 'ada@customer.example', subject: 'Password reset', sentAt: minutesAgo(20), delivered: 'Y' }),
  );
}
