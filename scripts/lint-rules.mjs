/** Project-specific lint rules. */

/**
 * Allows `.emit(` on a transaction, which writes an event row, and `.publish(`, which sends a transient event, only in
 * services, so that every event is easy to find.
 */
const emitInServicesOnly = {
  meta: {
    type: 'problem',
    docs: { description: 'Services alone tell events.' },
    messages: { elsewhere: 'Emit events in a *.service.ts file only.' },
    schema: [],
  },
  create(context) {
    const { getTypeAtLocation } = context.sourceCode.parserServices;
    return {
      'CallExpression > MemberExpression.callee[property.name=/^(emit|publish)$/]'(callee) {
        const type = { emit: 'Transaction', publish: 'TransientEvents' }[callee.property.name];
        if (getTypeAtLocation(callee.object).symbol?.name !== type) return;
        context.report({ node: callee, messageId: 'elsewhere' });
      },
    };
  },
};

export default { rules: { 'emit-in-services-only': emitInServicesOnly } };
