#!/usr/bin/env python3
"""A slow link: passes what comes to a port on to an address, later and at a limited rate. Kernels may lack `netem`.

    tests/cluster/slow_link.py PORT HOST PORT DELAY_MS BYTES_PER_SECOND
"""

import asyncio
import sys


async def carry(reader, writer, delay_s, rate):
    loop, waiting = asyncio.get_running_loop(), asyncio.Queue()

    async def send():
        while (item := await waiting.get()) is not None:
            at, data = item
            await asyncio.sleep(max(0.0, at - loop.time()))
            writer.write(data)
            await writer.drain()
        writer.close()

    sender, free = loop.create_task(send()), loop.time()
    try:
        while data := await reader.read(4_096):
            free = max(free, loop.time()) + len(data) / rate
            waiting.put_nowait((free + delay_s, data))
    except ConnectionError:
        pass  # the other side sees it closed
    waiting.put_nowait(None)
    await sender


async def main(port, host, to_port, delay_ms, rate):
    async def connected(reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection(host, to_port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(carry(reader, far_writer, delay_ms / 1_000, rate), carry(far_reader, writer, delay_ms / 1_000, rate),
                             return_exceptions=True)

    async with await asyncio.start_server(connected, "127.0.0.1", port) as server:
        print("listening", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])))
