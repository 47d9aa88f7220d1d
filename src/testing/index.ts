/** The API for tests of bots and clients, `parley/testing`. */
export { ParleyError, TestPerson, type Answer, type Parameters } from './person';
export { type TestMessage, type MessageExpectation, MessageMissing } from './messages';
export {
  type Fault,
  type JournalQuery,
  type JournalRecord,
  Parley,
  type TestPersonRecord,
  type ServerTime,
  type World,
} from './parley';
export { ACCOUNTS, type TriedRole, type PermissionCase, PermissionsDiffer } from './permissions';
export { startParley, type StartOptions } from './start-parley';
