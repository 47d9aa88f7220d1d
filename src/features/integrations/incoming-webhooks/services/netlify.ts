import type { Integration, IntegrationPost } from '../reading/integration';
import { code, joined, link, safe, quoted } from '../reading/safe-text';

const WORDS: Readonly<Record<string, string>> = {
  deploy_building: 'has started',
  deploy_created: 'is live',
  deploy_failed: 'has failed',
  deploy_locked: 'is locked',
  deploy_unlocked: 'is no longer locked',
  deploy_request_pending: 'waits to be accepted',
  deploy_request_accepted: 'was accepted',
  deploy_request_rejected: 'was rejected',
};

/** Netlify. */
export const NETLIFY: Integration = {
  name: 'netlify',
  displayName: 'Netlify',
  about: 'Deploys that start, are live, fail, or wait to be accepted.',
  events: Object.keys(WORDS),
  read(call): IntegrationPost {
    const { payload } = call;
    const event = call.eventHeader('X-Netlify-Event');
    const did = Object.hasOwn(WORDS, event) ? WORDS[event] : undefined;
    if (did === undefined) throw call.unsupported(event);
    const site = payload.text('name');
    const branch = payload.textOr('branch', '');
    const deploy = link('deploy', payload.textOr('deploy_ssl_url', payload.textOr('url', '')));
    const of = branch === '' ? safe`` : safe` of ${code(branch)}`;
    const log = link('log', `${payload.textOr('admin_url', '')}/deploys/${payload.textOr('id', '')}`);
    const head = safe`The ${deploy} of ${site}${of} ${did} (${log}).`;
    const content = joined(
      [head, quoted(payload.textOr('error_message', payload.textOr('title', '')))],
      '\n\n',
    );
    return { event, topic: `${site}${branch === '' ? '' : ` / ${branch}`}`, content };
  },
};
