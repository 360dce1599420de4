"""Imports of rows from other services: conversion, the run with its ledger, verification."""
