import { Global, Module } from '@nestjs/common';
import { OperatorCommandRegistry } from './operator-command.registry';
import { OperatorSocket } from './operator-socket';

/** The commands of the operator, and the socket that takes them while the server runs. */
@Global()
@Module({
  providers: [OperatorCommandRegistry, OperatorSocket],
  exports: [OperatorCommandRegistry],
})
export class OperatorSocketModule {}
