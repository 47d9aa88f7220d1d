import type { Integration, IntegrationPost } from '../reading/integration';
import { link, safe } from '../reading/safe-text';

const GOOD = new Set(['Passed', 'Fixed']);
const BAD = new Set(['Failed', 'Broken', 'Still Failing', 'Errored', 'Canceled']);

function markOf(status: string): string {
  if (GOOD.has(status)) return ':thumbs_up:';
  return BAD.has(status) ? ':thumbs_down:' : `(status: ${status})`;
}

/** Travis CI, which sends its JSON in the field `payload` of a form. */
export const TRAVIS: Integration = {
  name: 'travis',
  displayName: 'Travis CI',
  about: 'Finished builds.',
  events: ['push', 'pull_request', 'api', 'cron'],
  read({ payload }): IntegrationPost {
    const status = payload.textOr('status_message', payload.textOr('result_message', 'Unknown'));
    const links = safe`${link('changes', payload.textOr('compare_url', ''))}, ${link('build log', payload.text('build_url'))}`;
    const content = safe`Author: ${payload.textOr('author_name', 'unknown')}\nBuild status: ${status} ${markOf(status)}\nDetails: ${links}`;
    return { event: payload.textOr('type', 'push'), topic: 'builds', content };
  },
};
