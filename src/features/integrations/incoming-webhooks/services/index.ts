import type { Integration } from '../reading/integration';
import { ALERTMANAGER, GRAFANA, STATUSPAGE, UPTIME_ROBOT } from './monitoring';
import { BITBUCKET } from './bitbucket';
import { CIRCLECI, HEROKU, JENKINS, NETLIFY, TRAVIS } from './builds';
import { FORGEJO, GITEA, GOGS } from './gitea';
import { GITHUB } from './github';
import { GITLAB } from './gitlab';
import { JIRA, LINEAR } from './issue-trackers';
import { OPSGENIE, PAGERDUTY } from './on-call';
import { HELLO_WORLD, HOME_ASSISTANT, IFTTT, JSON_FORMAT, SLACK_FORMAT, ZAPIER } from './plain-texts';
import { SENTRY } from './sentry';
import { STRIPE } from './stripe';

/** The built-in integrations, sorted by name. */
export const INTEGRATIONS: readonly Integration[] = [
  ALERTMANAGER,
  BITBUCKET,
  CIRCLECI,
  FORGEJO,
  GITEA,
  GITHUB,
  GITLAB,
  GOGS,
  GRAFANA,
  HELLO_WORLD,
  HEROKU,
  HOME_ASSISTANT,
  IFTTT,
  JENKINS,
  JIRA,
  JSON_FORMAT,
  LINEAR,
  NETLIFY,
  OPSGENIE,
  PAGERDUTY,
  SENTRY,
  SLACK_FORMAT,
  STATUSPAGE,
  STRIPE,
  TRAVIS,
  UPTIME_ROBOT,
  ZAPIER,
];
