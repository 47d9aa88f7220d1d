import type { EventReader, Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import { link, safe } from '../reading/safe-text';
import { pushPost, setUp, shortHash, tagPost, withQuote } from './git-text';
import { ISSUE_READERS } from './github-issues';
import { PULL_REQUEST_READERS } from './github-pull-requests';
import { REPOSITORY_READERS, sponsorship, SPONSORSHIP_EVENTS } from './github-repository';

const NO_BRANCH_OF_PEOPLE = 'refs/heads/gh-readonly-queue/';

/** Supported events that are not worth a message. */
const IGNORED = new Set([
  'check_suite',
  'label',
  'meta',
  'milestone',
  'organization',
  'project_card',
  'repository_vulnerability_alert',
]);

const READERS: Readonly<Record<string, EventReader>> = {
  ping: ({ payload }) => ({
    event: 'ping',
    topic: payload.firstText('repository.name', 'organization.login', 'hook.type'),
    content: setUp('GitHub', payload.textOr('sender.login', '')),
  }),
  push: (call) => {
    const ref = call.payload.text('ref');
    if (ref.startsWith(NO_BRANCH_OF_PEOPLE)) return null;
    return ref.startsWith('refs/tags/') ? pushedTag(call, ref) : pushedCommits(call, ref);
  },
  commit_comment: ({ payload }) => ({
    event: 'commit_comment',
    topic: payload.text('repository.name'),
    content: withQuote(
      safe`${payload.text('comment.user.login')} ${link('commented', payload.text('comment.html_url'))} on ${link(
        shortHash(payload.text('comment.commit_id')),
        `${payload.text('repository.html_url')}/commit/${payload.text('comment.commit_id')}`,
      )}`,
      payload.textOr('comment.body', ''),
    ),
  }),
  ...PULL_REQUEST_READERS,
  ...ISSUE_READERS,
  ...REPOSITORY_READERS,
};

function pushedTag({ payload }: IntegrationCall, ref: string): IntegrationPost {
  const tag = ref.slice('refs/tags/'.length);
  return tagPost('push_tags', {
    repository: payload.text('repository.name'),
    user: payload.firstText('sender.login', 'pusher.name'),
    tag,
    url: `${payload.textOr('repository.html_url', '')}/releases/tag/${tag}`,
    isGone: !payload.is('created', true),
  });
}

function pushedCommits(call: IntegrationCall, ref: string): IntegrationPost | null {
  const { payload } = call;
  const branch = ref.replace(/^refs\/heads\//, '');
  if (!call.optionNames('branches', branch)) return null;
  return pushPost('push_commits', {
    repository: payload.text('repository.name'),
    branch,
    user: payload.firstText('sender.login', 'pusher.name'),
    url: payload.text('compare'),
    commits: payload.list('commits').map((commit) => ({
      message: commit.text('message'),
      url: commit.text('url'),
      hash: commit.text('id'),
      author: commit.firstText('author.username', 'author.name'),
    })),
    isForced: payload.is('forced', true),
    isDeleted: payload.is('deleted', true),
  });
}

function read(call: IntegrationCall): IntegrationPost | null {
  const { payload } = call;
  const header = call.eventHeader('X-GitHub-Event');
  if (call.option('ignore_private_repositories') === 'true' && payload.is('repository.private', true)) {
    return null;
  }
  if (IGNORED.has(header)) return null;
  const sponsored = sponsorship(call, header);
  if (sponsored) return sponsored;
  const reader = Object.hasOwn(READERS, header) ? READERS[header] : undefined;
  if (!reader)
    throw call.unsupported(payload.has('action') ? `${header}:${payload.text('action')}` : `${header}:???`);
  return reader(call);
}

/** GitHub, both github.com and self-hosted. */
export const GITHUB: Integration = {
  name: 'github',
  aliases: ['githubsponsors'],
  displayName: 'GitHub',
  about:
    'Pushes, pull requests with their reviews, issues, discussions, releases, checks and repository changes.',
  events: [
    'ping',
    'push_commits',
    'push_tags',
    'create',
    'delete',
    'commit_comment',
    'opened_pull_request',
    'updated_pull_request',
    'assigned_or_unassigned_pull_request',
    'closed_pull_request',
    'pull_request_review_requested',
    'pull_request_ready_for_review',
    'locked_or_unlocked_pull_request',
    'pull_request_auto_merge',
    'pull_request_review',
    'pull_request_review_comment',
    'issues',
    'issue_labeled_or_unlabeled',
    'issue_milestoned_or_demilestoned',
    'issue_comment',
    'discussion',
    'discussion_comment',
    'release',
    'star',
    'watch',
    'fork',
    'check_run',
    'workflow_run',
    'status',
    'deployment',
    'deployment_status',
    'page_build',
    'gollum',
    'public',
    'repository',
    'member',
    'membership',
    'team_add',
    'team',
    'issues_transferred',
    'issues_opened_via_transfer',
    ...SPONSORSHIP_EVENTS,
  ],
  options: [
    { name: 'branches', about: 'Comma-separated branches whose pushes are reported.' },
    {
      name: 'ignore_private_repositories',
      about: '`true` skips private repositories.',
    },
  ],
  read,
};
