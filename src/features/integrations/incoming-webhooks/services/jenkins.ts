import type { Integration, IntegrationPost } from '../reading/integration';
import { code, joined, link, safe, NOTHING, type SafeText } from '../reading/safe-text';
import { shortHash } from './git-text';

/** How results are shown. */
const RESULTS: Readonly<Record<string, SafeText>> = {
  SUCCESS: safe`:check: **succeeded**`,
  FAILURE: safe`:cross_mark: **failed**`,
  UNSTABLE: safe`:warning: is **unstable**`,
  ABORTED: safe`:stop_sign: was **aborted**`,
  NOT_BUILT: safe`was **not built**`,
};

/** Phases in which there is no result yet, or which repeat one. */
const WITHOUT_RESULT: Readonly<Record<string, string>> = { QUEUED: 'waits', STARTED: 'has started' };

/** Jenkins with its Notification plugin, which sends JSON in each phase of a build. */
export const JENKINS: Integration = {
  name: 'jenkins',
  displayName: 'Jenkins',
  about: 'Builds that start and end, sent by the Notification plugin (JSON over HTTP).',
  events: ['queued', 'started', 'completed', 'finalized'],
  read(call): IntegrationPost | null {
    const { payload } = call;
    const job = payload.text('name');
    const build = payload.object('build');
    const phase = build.text('phase').toUpperCase();
    const named = link(`${job} #${build.textOr('number', '?')}`, build.textOr('full_url', ''));
    const event = phase.toLowerCase();
    const begun = Object.hasOwn(WITHOUT_RESULT, phase) ? WITHOUT_RESULT[phase] : undefined;
    if (begun !== undefined) return { event, topic: job, content: safe`Build ${named} ${begun}.` };
    // Completed and finalized tell the same, one after the other.
    if (phase === 'FINALIZED') return null;
    if (phase !== 'COMPLETED') throw call.unsupported(event);
    const status = build.textOr('status', 'UNKNOWN');
    const result = (Object.hasOwn(RESULTS, status) ? RESULTS[status] : undefined) ?? safe`ended: ${status}`;
    const hash = build.textOr('scm.commit', '');
    const branch = build.textOr('scm.branch', '');
    const commit =
      hash === ''
        ? NOTHING
        : safe`Commit ${code(shortHash(hash))}${branch === '' ? NOTHING : safe` of ${code(branch)}`}`;
    return { event, topic: job, content: joined([safe`Build ${named} ${result}.`, commit], '\n') };
  },
};
