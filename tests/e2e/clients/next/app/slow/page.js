import { connection } from "next/server";

export default async function Page() {
  await connection();
  return <p>Made for each request.</p>;
}
