import type { Scenarios } from '../scenario';
import { CLOCK_FAULTS } from './clocks';
import { COMMIT_FAULTS } from './commits';
import { DATABASE_FAULTS } from './database';
import { FAILOVERS } from './failover';
import { CLIENT_FAULTS } from './half-open';
import { NGINX_FAULTS } from './nginx';
import { NODE_FAULTS } from './nodes';
import { POSTGRES_STORAGE_FAULTS } from './postgres-storage';
import { REDIS_FAULTS } from './redis';
import { REPLICA_FAULTS } from './replica';
import { STORAGE_FAULTS } from './storage';

/** Every fault that can be tried, by name. */
export const SCENARIOS: Scenarios = {
  ...NODE_FAULTS,
  ...NGINX_FAULTS,
  ...STORAGE_FAULTS,
  ...POSTGRES_STORAGE_FAULTS,
  ...DATABASE_FAULTS,
  ...COMMIT_FAULTS,
  ...FAILOVERS,
  ...REPLICA_FAULTS,
  ...REDIS_FAULTS,
  ...CLIENT_FAULTS,
  ...CLOCK_FAULTS,
};
