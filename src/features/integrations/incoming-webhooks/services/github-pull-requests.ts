import type { EventReader, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, link, safe, type SafeText } from '../reading/safe-text';
import { assignedTo, branchesOf, itemLink, itemTopic, withQuote } from './git-text';

const logins = (people: readonly Payload[]) => people.map((person) => person.text('login'));

function topicOf({ payload }: IntegrationCall): string {
  const number = payload.text('pull_request.number');
  return itemTopic(payload.text('repository.name'), 'PR', number, payload.text('pull_request.title'));
}

function requestLink({ payload, namesItself }: IntegrationCall): SafeText {
  return itemLink({
    kind: 'PR',
    number: payload.text('pull_request.number'),
    title: payload.text('pull_request.title'),
    url: payload.text('pull_request.html_url'),
    isNamed: namesItself,
  });
}

const sender = ({ payload }: IntegrationCall) => payload.text('sender.login');

/** Texts and filter names of the actions. */
const ACTIONS: Readonly<
  Record<string, { readonly event: string; say(call: IntegrationCall): SafeText | null }>
> = {
  opened: {
    event: 'opened_pull_request',
    say: opened,
  },
  reopened: {
    event: 'opened_pull_request',
    say: (call) => withAssignees(call, 'reopened'),
  },
  synchronize: {
    event: 'updated_pull_request',
    say: (call) => withAssignees(call, 'updated'),
  },
  edited: { event: 'updated_pull_request', say: (call) => withAssignees(call, 'edited') },
  closed: {
    event: 'closed_pull_request',
    say: (call) => {
      const isMerged = call.payload.is('pull_request.merged', true);
      return safe`${sender(call)} ${isMerged ? 'merged' : 'closed without merge'} ${requestLink(call)}.`;
    },
  },
  assigned: {
    event: 'assigned_or_unassigned_pull_request',
    say: (call) =>
      safe`${sender(call)} assigned ${call.payload.text('assignee.login')} to ${requestLink(call)}.`,
  },
  unassigned: {
    event: 'assigned_or_unassigned_pull_request',
    say: (call) =>
      safe`${sender(call)} unassigned ${call.payload.text('assignee.login')} from ${requestLink(call)}.`,
  },
  review_requested: {
    event: 'pull_request_review_requested',
    say: (call) => {
      const { payload } = call;
      const reviewer = payload.firstText('requested_reviewer.login', 'requested_team.name');
      const page = payload.textOr(
        'requested_reviewer.html_url',
        payload.textOr('requested_team.html_url', ''),
      );
      return safe`${bold(sender(call))} asked ${link(reviewer, page)} for a review of ${requestLink(call)}.`;
    },
  },
  ready_for_review: {
    event: 'pull_request_ready_for_review',
    say: (call) => safe`${bold(sender(call))} has marked ${requestLink(call)} as ready for review.`,
  },
  locked: {
    event: 'locked_or_unlocked_pull_request',
    say: (call) => {
      const reason = call.payload.textOr('pull_request.active_lock_reason', '');
      const because = reason === '' ? safe`` : safe` as ${reason}`;
      return safe`${sender(call)} locked ${requestLink(call)}${because} and limited the conversation to collaborators.`;
    },
  },
  unlocked: {
    event: 'locked_or_unlocked_pull_request',
    say: (call) => safe`${sender(call)} unlocked the conversation on ${requestLink(call)}.`,
  },
  auto_merge_enabled: {
    event: 'pull_request_auto_merge',
    say: (call) => safe`${sender(call)} enabled auto merge for ${requestLink(call)}.`,
  },
  auto_merge_disabled: {
    event: 'pull_request_auto_merge',
    say: (call) => safe`${sender(call)} disabled auto merge for ${requestLink(call)}.`,
  },
};

/** Supported actions that are not worth a message. */
const QUIET = new Set([
  'approved',
  'converted_to_draft',
  'labeled',
  'unlabeled',
  'milestoned',
  'demilestoned',
  'review_request_removed',
]);

function opened(call: IntegrationCall): SafeText {
  const request = call.payload.at('pull_request');
  const branches = branchesOf(
    request.textOr('head.label', request.textOr('head.ref', '')),
    request.textOr('base.label', request.textOr('base.ref', '')),
  );
  const assignees = assignedTo(logins(request.list('assignees')));
  const sentence = safe`${sender(call)} opened ${requestLink(call)}${branches}${assignees}`;
  return withQuote(sentence, request.textOr('body', ''));
}

/** Quotes the description only if it changed. */
function withAssignees(call: IntegrationCall, did: string): SafeText {
  const request = call.payload.at('pull_request');
  const sentence = safe`${sender(call)} ${did} ${requestLink(call)}${assignedTo(logins(request.list('assignees')))}`;
  return withQuote(sentence, call.payload.has('changes.body') ? request.textOr('body', '') : '');
}

function pullRequest(call: IntegrationCall): IntegrationPost | null {
  const action = call.payload.text('action');
  if (QUIET.has(action)) return null;
  const known = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!known) throw call.unsupported(`pull_request:${action}`);
  const content = known.say(call);
  return content && { event: known.event, topic: topicOf(call), content };
}

/** Texts for the states of a review. */
const VERDICTS: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'asked for changes in',
};

function review(call: IntegrationCall): IntegrationPost | null {
  const { payload } = call;
  const action = payload.text('action');
  if (action === 'edited' && !payload.has('changes.body')) return null;
  const did =
    action === 'submitted'
      ? (VERDICTS[payload.textOr('review.state', '').toLowerCase()] ?? 'reviewed')
      : `${action} the review of`;
  const request = requestLink(call);
  const content = safe`${payload.text('review.user.login')} ${link(did, payload.text('review.html_url'))} ${request}`;
  return {
    event: 'pull_request_review',
    topic: topicOf(call),
    content: withQuote(content, payload.textOr('review.body', '')),
  };
}

function reviewComment(call: IntegrationCall): IntegrationPost {
  const { payload } = call;
  const isNew = payload.is('action', 'created');
  const comment = link(
    `${isNew ? '' : `${payload.text('action')} a comment`}` || 'commented',
    payload.text('comment.html_url'),
  );
  const content = safe`${payload.text('sender.login')} ${comment} on ${requestLink(call)}`;
  return {
    event: 'pull_request_review_comment',
    topic: topicOf(call),
    content: withQuote(content, isNew ? payload.textOr('comment.body', '') : ''),
  };
}

/** Readers of events about pull requests. */
export const PULL_REQUEST_READERS: Readonly<Record<string, EventReader>> = {
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: reviewComment,
};
