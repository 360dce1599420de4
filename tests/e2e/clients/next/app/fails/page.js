import { connection } from "next/server";

export default async function Page() {
  await connection();
  throw new RangeError("cannot be shown");
}
