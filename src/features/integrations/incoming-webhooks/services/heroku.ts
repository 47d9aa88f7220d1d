import type { Integration, IntegrationPost } from '../reading/integration';
import { joined, link, safe, quoted } from '../reading/safe-text';
import { shortHash } from './git-text';

/** Heroku's deploy hook, which sends a form, and its app webhooks, which send JSON. */
export const HEROKU: Integration = {
  name: 'heroku',
  displayName: 'Heroku',
  about: 'Deployed versions of apps.',
  events: null,
  takesForm: true,
  read(call): IntegrationPost | null {
    const { payload } = call;
    if (payload.has('data')) {
      const [resource, action] = [payload.text('resource'), payload.text('action')];
      if (resource !== 'release') throw call.unsupported(`${resource} ${action}`);
      if (!payload.is('data.status', 'succeeded') && !payload.is('data.status', 'failed')) return null;
      const app = payload.firstText('data.app.name', 'data.app.id');
      const who = payload.textOr('actor.email', payload.textOr('data.user.email', 'Someone'));
      const outcome = payload.is('data.status', 'failed') ? 'could not release' : 'released';
      const about = payload.textOr('data.description', '');
      const head = safe`${who} ${outcome} version ${payload.textOr('data.version', '?')} of ${app}.`;
      return { event: null, topic: app, content: joined([head, quoted(about)], '\n\n') };
    }
    const app = payload.text('app');
    const head = safe`${payload.text('user')} deployed version ${shortHash(payload.text('head'))} of ${link(app, payload.textOr('url', ''))}:`;
    return {
      event: null,
      topic: app,
      content: joined([head, quoted(payload.textOr('git_log', ''))], '\n\n'),
    };
  },
};
