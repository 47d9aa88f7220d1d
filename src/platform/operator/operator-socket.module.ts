import { Global, Module } from '@nestjs/common';
import { OperatorCommands } from './operator-commands';
import { OperatorSocket } from './operator-socket';

/** The commands of the operator, and the socket that takes them while the server runs. */
@Global()
@Module({
  providers: [OperatorCommands, OperatorSocket],
  exports: [OperatorCommands],
})
export class OperatorSocketModule {}
