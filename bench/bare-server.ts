import Fastify from 'fastify';

// What the gateway is measured against: Fastify alone, answering with the body it was sent.
const server = Fastify();
server.post('/v1/messages/text', (request, reply) => reply.send(request.body));
const address = await server.listen({ port: 0 });
process.send?.({ address, headers: {}, bodies: [{ instance_id: '01890000-0000-7000-8000-000000000000' }] });
