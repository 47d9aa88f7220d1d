import type { Integration, IntegrationPost } from '../reading/integration';
import { bold, code, joined, link, safe, quoted } from '../reading/safe-text';

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
  about: 'Deploys that start, go live, fail or wait for approval.',
  events: Object.keys(WORDS),
  read(call): IntegrationPost {
    const { payload } = call;
    const event = call.eventHeader('X-Netlify-Event');
    const did = Object.hasOwn(WORDS, event) ? WORDS[event] : undefined;
    if (did === undefined) throw call.unsupported(event);
    const site = link(payload.text('name'), payload.textOr('url', ''));
    const branch = payload.textOr('branch', '');
    const of = branch === '' ? safe`` : safe` of ${code(branch)}`;
    const state =
      event === 'deploy_building' || event === 'deploy_created' ? payload.textOr('state', '') : '';
    const log = link('log', `${payload.textOr('admin_url', '')}/deploys/${payload.textOr('id', '')}`);
    const head = safe`The deploy${of} to ${site} ${did}${state === '' ? safe`` : safe`: ${bold(state)}`} (${log}).`;
    const text = payload.textOr('error_message', payload.textOr('title', ''));
    return { event, topic: branch, content: joined([head, quoted(text)], '\n\n') };
  },
};
