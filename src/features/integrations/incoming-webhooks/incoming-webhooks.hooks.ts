import { defineHook } from '../../../platform/hooks/hook';
import type { Integration } from './reading/integration';

/** Asks for integrations beside those of this server. Two may not have one name. */
export const integrationsSought = defineHook<[], readonly Integration[]>('integrationsSought');
