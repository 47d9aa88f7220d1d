import { defineHook } from '../../../platform/hooks/hook';
import type { Integration } from './reading/integration';

/** Collects additional integrations of modules. Names must be unique. */
export const integrationsSought = defineHook<[], readonly Integration[]>('integrationsSought');
